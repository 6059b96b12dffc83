import {
  type ButtonInteraction,
  type Interaction,
  MessageFlags,
  type ModalSubmitInteraction,
  RESTJSONErrorCodes,
} from 'discord.js';
import type { ChannelLog } from '../channel-log.ts';
import type { Account, Answer, AnswerReply, ChannelHandlers } from '../contract.ts';
import { cutVisibly, toVisible } from '../visible-text.ts';
import { within } from '../waiting.ts';
import { parseCustomId } from './custom-id.ts';
import { renderForm, wordsField } from './form.ts';
import { toLogLine } from './log-line.ts';
import { fitEscaped } from './markdown.ts';
import type { DiscordTiming } from './timing.ts';

/** Hands presses and forms on and shows each person what became of theirs. */
export interface Answers {
  /** Never rejects. */
  take(interaction: Interaction): Promise<void>;
  /** Nothing is handed on afterwards. */
  stop(): void;
}

/** Discord's limit of a message's content. */
const mostContent = 2_000;
const silent = { allowedMentions: { parse: [] } } as const;

export function createAnswers(deps: {
  readonly handlers: ChannelHandlers;
  readonly timing: DiscordTiming;
  readonly log: ChannelLog;
}): Answers {
  const { handlers, timing, log } = deps;
  let stopped = false;

  /** What Discord makes of our response is cosmetic: what was recorded stands. */
  const attempt = (what: string, work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      (error: unknown) => {
        log.warn({ channel: 'discord', error: toLogLine(error), hint: hintOf(error) }, `${what} failed`);
        return false;
      },
    );
  const content = (text: string) => ({
    ...silent,
    content: fitEscaped(cutVisibly(toVisible(text), mostContent), mostContent),
    flags: MessageFlags.Ephemeral as const,
  });

  /** Acknowledges in time, whatever the judging takes, and shows its reply. */
  const settle = async (interaction: ButtonInteraction | ModalSubmitInteraction, judged: Promise<AnswerReply>) => {
    const early = await within(timing.ackMs, judged);
    if (stopped) return;
    if (early !== null) return void (await attempt('a private reply', interaction.reply(content(early.value.text))));
    const update = interaction.isModalSubmit() && !interaction.isFromMessage()
      ? interaction.deferReply({ flags: MessageFlags.Ephemeral })
      : interaction.deferUpdate();
    await attempt('acknowledging', update);
    const { text } = await judged;
    await attempt('a private reply', interaction.followUp(content(text)));
  };
  const judge = (answer: Answer): Promise<AnswerReply> =>
    handlers.onAnswer(answer).catch((error: unknown) => {
      log.error({ channel: 'discord', error: toLogLine(error) }, 'an answer could not be judged');
      return { fate: 'failed', text: 'That could not be recorded. Nothing was decided; please try again.' } as const;
    });
  const facts = (interaction: ButtonInteraction | ModalSubmitInteraction, pageToken: string) => ({
    channel: 'discord' as const,
    pageToken,
    account: toAccount(interaction),
    eventId: interaction.id,
    at: interaction.createdAt,
  });

  const takePress = async (interaction: ButtonInteraction) => {
    const parsed = parseCustomId(interaction.customId);
    if (parsed === null) return void (await attempt('acknowledging', interaction.deferUpdate()));
    const { token, does } = parsed;
    const known = facts(interaction, token);
    if (does.kind === 'answer') return settle(interaction, judge({ ...known, choice: does.choice }));
    // A form must be the first response, within the 3 s, so what is asked before has its own limit.
    const asked = handlers.onCompose({ ...known, choice: { kind: does.form } }).catch(() => null);
    const refusal = await within(timing.composeMs, asked);
    if (stopped) return;
    if (refusal !== null && refusal.value !== null) {
      return void (await attempt('a private reply', interaction.reply(content(refusal.value.text))));
    }
    await attempt('opening a form', interaction.showModal(renderForm(does.form, token)));
  };
  const takeForm = async (interaction: ModalSubmitInteraction) => {
    const parsed = parseCustomId(interaction.customId);
    if (parsed === null || parsed.does.kind !== 'compose') return;
    const text = interaction.fields.getTextInputValue(wordsField);
    const choice = { kind: parsed.does.form };
    await settle(interaction, judge({ ...facts(interaction, parsed.token), choice, text }));
  };

  return {
    async take(interaction) {
      if (stopped) return;
      try {
        if (interaction.isButton()) await takePress(interaction);
        else if (interaction.isModalSubmit()) await takeForm(interaction);
      } catch (error) {
        log.error({ channel: 'discord', error: toLogLine(error) }, 'a Discord press could not be handled');
      }
    },
    stop: () => {
      stopped = true;
    },
  };
}

/** The name people know each other by in that server, else the account's own. */
function toAccount({ user, member }: ButtonInteraction | ModalSubmitInteraction): Account {
  const nick = member !== null && 'nick' in member ? member.nick : member?.nickname;
  return { id: user.id, displayName: nick ?? user.displayName };
}

function hintOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged) {
    return 'another program uses the same bot token: stop it, or give each its own bot';
  }
  return undefined;
}
