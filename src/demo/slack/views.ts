import { randomUUID } from 'node:crypto';
import type { ChatForm } from '../emulator.ts';
import { type JsonObject, toObject, toObjects, toText } from '../json.ts';

/** A trigger id works once and for 3 s (docs.slack.dev/interactivity/handling-user-interaction). */
const triggerLifeMs = 3_000;

export interface OpenView {
  readonly id: string;
  readonly userId: string;
  readonly view: JsonObject;
  readonly hash: string;
}

/** Trigger ids and the modal that each person has open. */
export interface Views {
  issueTrigger(userId: string): string;
  /** @returns the person whose press it was, or Slack's error */
  useTrigger(triggerId: string): { readonly userId: string } | { readonly error: string };
  open(userId: string, view: JsonObject): OpenView;
  of(userId: string): OpenView | null;
  close(userId: string): void;
}

export function createViews(nowMs: () => number): Views {
  const triggers = new Map<string, { readonly userId: string; readonly at: number; used: boolean }>();
  const opened = new Map<string, OpenView>();
  return {
    issueTrigger(userId) {
      const id = `${Math.trunc(nowMs())}.${triggers.size + 1}.${randomUUID().replaceAll('-', '')}`;
      triggers.set(id, { userId, at: nowMs(), used: false });
      return id;
    },
    useTrigger(id) {
      const trigger = triggers.get(id);
      if (trigger === undefined) return { error: 'invalid_trigger_id' };
      if (trigger.used) return { error: 'exchanged_trigger_id' };
      if (nowMs() - trigger.at > triggerLifeMs) return { error: 'expired_trigger_id' };
      trigger.used = true;
      return { userId: trigger.userId };
    },
    open(userId, view) {
      const row = { id: `V${randomUUID().slice(0, 8).toUpperCase()}`, userId, view, hash: randomUUID() };
      opened.set(userId, row);
      return row;
    },
    of: (userId) => opened.get(userId) ?? null,
    close: (userId) => {
      opened.delete(userId);
    },
  };
}

/** The one text field of a modal. */
export function inputOf(
  view: JsonObject,
): { readonly blockId: string; readonly actionId: string; readonly form: ChatForm; readonly optional: boolean } | null {
  const block = toObjects(view.blocks).find((candidate) => candidate.type === 'input');
  if (block === undefined) return null;
  const element = toObject(block.element);
  const most = element.max_length;
  return {
    blockId: toText(block.block_id),
    actionId: toText(element.action_id),
    optional: block.optional === true,
    form: {
      title: toText(toObject(view.title).text),
      label: toText(toObject(block.label).text),
      maxLength: typeof most === 'number' ? most : 3_000,
    },
  };
}
