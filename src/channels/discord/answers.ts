import {
  type ButtonInteraction,
  DiscordAPIError,
  type Interaction,
  MessageFlags,
  type ModalSubmitInteraction,
  RateLimitError,
  RESTJSONErrorCodes,
} from 'discord.js';
import type { ChannelLog } from '../channel-log.ts';
import type { Account, AnswerReply, ChannelHandlers, Choice } from '../contract.ts';
import { within } from '../waiting.ts';
import { parseCustomId } from './custom-id.ts';
import { renderForm, wordsField } from './form.ts';
import { toLine } from './log-line.ts';
import { fitEscaped, visibleText } from './markdown.ts';
import type { DiscordTiming } from './timing.ts';

type Press = ButtonInteraction | ModalSubmitInteraction;

/** Hands presses and forms on and shows each person what became of theirs. */
export interface Answers {
  /** Never throws. */
  receive(interaction: Interaction): void;
  /** Nothing is handed on afterwards; what was taken before gets its reply, or `ms` are over. */
  stop(ms: number): Promise<void>;
}

export function createAnswers(deps: {
  readonly handlers: ChannelHandlers;
  readonly timing: DiscordTiming;
  readonly log: ChannelLog;
}): Answers {
  const { handlers, timing, log } = deps;
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  /**
   * Responses are cosmetic: they fail when Discord waited too long or the network is down, and what was recorded stands.
   * One that got no answer is tried again at once, for the person's sake: a press that is not acknowledged looks failed.
   */
  const attempt = async (what: string, respond: () => Promise<unknown>): Promise<boolean> => {
    for (const isLast of [false, true]) {
      try {
        await respond();
        return true;
      } catch (error) {
        const isRefused = error instanceof DiscordAPIError || error instanceof RateLimitError;
        if (!isRefused && !isLast) continue;
        if (isLast && isTaken(error)) return true;
        const hint = isTaken(error) ? ' (another program uses this bot token: stop it, or give each its own bot)' : '';
        log.warn({ channel: 'discord', reason: `${toLine(error)}${hint}` }, `${what} failed`);
      }
      return false;
    }
    return false;
  };
  const tell = (press: Press, reply: AnswerReply) =>
    attempt('a private reply', () => press.reply({ ...toPrivate(reply), flags: MessageFlags.Ephemeral }));

  const answer = async (press: Press, pageToken: string, choice: Choice, text?: string) => {
    const judged = handlers.onAnswer({ ...toEvent(press), pageToken, choice, ...(text === undefined ? {} : { text }) });
    const early = await within(timeLeft(press, timing.ackMs), judged);
    if (early !== null) return void (await tell(press, early.value));
    const deferred = await attempt('acknowledging', () => press.deferReply({ flags: MessageFlags.Ephemeral }));
    const reply = await judged;
    if (deferred) await attempt('a late private reply', () => press.editReply(toPrivate(reply)));
  };

  const compose = async (press: ButtonInteraction, pageToken: string, form: 'deny' | 'text') => {
    const asked = await within(
      timeLeft(press, timing.composeMs),
      handlers.onCompose({ ...toEvent(press), pageToken, choice: { kind: form } }),
    );
    if (asked !== null && asked.value !== null) return void (await tell(press, asked.value));
    await attempt('opening a form', () => press.showModal(renderForm(form, pageToken)));
  };

  const take = async (interaction: Interaction): Promise<void> => {
    if (interaction.isButton()) {
      const pressed = parseCustomId(interaction.customId);
      // A button that we do not know decides nothing; the person's app only needs to stop waiting.
      if (pressed === null) return void (await attempt('acknowledging', () => interaction.deferUpdate()));
      if (pressed.does.kind === 'compose') return compose(interaction, pressed.token, pressed.does.form);
      return answer(interaction, pressed.token, pressed.does.choice);
    }
    if (interaction.isModalSubmit()) {
      const form = parseCustomId(interaction.customId);
      if (form?.does.kind !== 'compose') return;
      const text = interaction.fields.getTextInputValue(wordsField);
      return answer(interaction, form.token, { kind: form.does.form }, text);
    }
  };

  return {
    receive(interaction) {
      if (stopped) return;
      const work = take(interaction).catch((error: unknown) => {
        log.error({ channel: 'discord', reason: toLine(error) }, 'an interaction could not be handled');
      });
      underWay.add(work);
      void work.then(() => underWay.delete(work));
    },
    async stop(ms) {
      stopped = true;
      await within(ms, Promise.allSettled([...underWay]));
    },
  };
}

function toEvent(press: Press) {
  return { channel: 'discord', account: toAccount(press), eventId: press.id, at: press.createdAt } as const;
}

function toAccount({ user, member }: Press): Account {
  const nick = member === null ? null : 'nickname' in member ? member.nickname : member.nick;
  return { id: user.id, displayName: nick ?? user.displayName };
}

/** An interaction that RESUME brought late has less time left; where the clocks do not agree, all of it. */
function timeLeft({ createdTimestamp }: Press, ms: number): number {
  const age = Date.now() - createdTimestamp;
  return age > 0 && age < 3_000 ? Math.max(0, ms - age) : ms;
}

function toPrivate({ text }: AnswerReply) {
  return { content: fitEscaped(visibleText(text), 2_000), allowedMentions: { parse: [] } };
}

/** Somebody has responded to it already. */
function isTaken(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;
}
