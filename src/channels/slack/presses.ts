import { z } from 'zod';
import type { Choice } from '../contract.ts';
import { actions } from './buttons.ts';
import { type FormOrigin, formFields, parseFormOrigin } from './form.ts';

/** What a button press or a submitted form says, as far as we use it. */
const user = z.object({ id: z.string().min(1), name: z.string().optional(), username: z.string().optional() });

const pressBody = z.object({
  user,
  trigger_id: z.string(),
  channel: z.object({ id: z.string() }),
  message: z.object({ thread_ts: z.string().optional() }).optional(),
  actions: z.tuple(
    [z.object({ action_id: z.string(), value: z.string().default(''), action_ts: z.string().optional() })],
    z.unknown(),
  ),
});

const submissionBody = z.object({
  user,
  view: z.object({
    callback_id: z.string(),
    private_metadata: z.string(),
    state: z.object({
      values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))),
    }),
  }),
});

export interface PressedBy {
  readonly id: string;
  /** The account's handle, for when the real name cannot be had. */
  readonly handle: string;
}

/** A press on a button of a page. */
export interface Press extends FormOrigin {
  readonly by: PressedBy;
  readonly triggerId: string;
  readonly at: Date;
  readonly does:
    | { readonly kind: 'answer'; readonly choice: Choice }
    | { readonly kind: 'compose'; readonly form: 'deny' | 'text' }
    | { readonly kind: 'nothing' };
}

/** @returns null when it is not a press of ours */
export function parsePress(body: unknown): Press | null {
  const parsed = pressBody.safeParse(body);
  if (!parsed.success) return null;
  const { user, trigger_id, channel, message, actions: pressed } = parsed.data;
  const [{ action_id, value, action_ts }] = pressed;
  const threadId = message?.thread_ts;
  return {
    token: value,
    address: { chatId: channel.id, ...(threadId === undefined ? {} : { threadId }) },
    by: toPressedBy(user),
    triggerId: trigger_id,
    at: readTime(action_ts),
    does: readAction(action_id),
  };
}

export interface Submission extends FormOrigin {
  readonly by: PressedBy;
  readonly choice: Choice;
  readonly text: string;
}

/** @returns null when it is not a form of ours */
export function parseSubmission(body: unknown): Submission | null {
  const parsed = submissionBody.safeParse(body);
  if (!parsed.success) return null;
  const { user, view } = parsed.data;
  const origin = parseFormOrigin(view.private_metadata);
  if (origin === null) return null;
  return {
    ...origin,
    by: toPressedBy(user),
    choice: { kind: view.callback_id === actions.denyWithReason ? 'deny' : 'text' },
    text: view.state.values[formFields.block]?.[formFields.input]?.value ?? '',
  };
}

function readAction(actionId: string): Press['does'] {
  switch (actionId) {
    case actions.approve:
      return { kind: 'answer', choice: { kind: 'approve' } };
    case actions.deny:
      return { kind: 'answer', choice: { kind: 'deny' } };
    case actions.denyWithReason:
      return { kind: 'compose', form: 'deny' };
    case actions.write:
      return { kind: 'compose', form: 'text' };
  }
  const index = actionId.startsWith(actions.option) ? actionId.slice(actions.option.length) : '';
  return /^\d$/.test(index)
    ? { kind: 'answer', choice: { kind: 'option', index: Number(index) } }
    : { kind: 'nothing' };
}

function toPressedBy({ id, name, username }: z.infer<typeof user>): PressedBy {
  return { id, handle: name ?? username ?? id };
}

function readTime(seconds: string | undefined): Date {
  const at = new Date(Number(seconds) * 1_000);
  return Number.isNaN(at.getTime()) ? new Date() : at;
}
