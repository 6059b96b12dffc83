import type { AnswerReply, ChannelHandlers } from '../contract.ts';
import { within } from '../waiting.ts';
import { parseCallbackData } from './callback-data.ts';
import { renderPrompt } from './prompt.ts';
import type { Telling } from './telling.ts';
import type { TelegramTiming } from './timing.ts';
import { addressOf, type CallbackQuery, toAccount } from './updates.ts';

/** More than this does not fit the line that pops up; it is told in a message as well. */
const mostToast = 200;

/** Deals with one press: judged, acknowledged in time whatever the judging takes, and told what became of it. */
export function createPresses(deps: {
  readonly handlers: ChannelHandlers;
  readonly telling: Telling;
  readonly timing: TelegramTiming;
}): (query: CallbackQuery) => Promise<void> {
  const { handlers, telling, timing } = deps;

  const show = async (query: CallbackQuery, { text, fate }: AnswerReply): Promise<void> => {
    await telling.toast(query, text, fate === 'accepted' ? 'passing' : 'alert');
    const address = addressOf(query.message);
    if (text.length > mostToast && address !== null) await telling.tell(text, query.from, address);
  };

  const press = async (query: CallbackQuery): Promise<void> => {
    const pressed = parseCallbackData(query.data);
    if (pressed === null) return show(query, { fate: 'unknown', text: unknownButton });
    const event = {
      channel: 'telegram',
      pageToken: pressed.token,
      account: toAccount(query.from),
      eventId: `press:${query.id}`,
      at: new Date(),
    } as const;
    const address = addressOf(query.message);
    if (pressed.kind === 'compose') {
      const asked = await within(timing.composeMs, handlers.onCompose({ ...event, choice: { kind: pressed.form } }));
      const refusal = asked?.value ?? null;
      if (refusal !== null) return show(query, refusal);
      if (address === null) return show(query, { fate: 'unknown', text: tooOld });
      const prompt = renderPrompt(pressed.form, pressed.token, query.from, address);
      await Promise.all([telling.toast(query, '', 'passing'), telling.post(prompt)]);
      return;
    }
    const judged = handlers.onAnswer({ ...event, choice: pressed.choice });
    const early = await within(timing.ackMs, judged);
    if (early !== null) return show(query, early.value);
    await telling.toast(query, 'Recording your answer …', 'passing');
    const reply = await judged;
    // The page's own edit tells of success.
    if (reply.fate !== 'accepted' && address !== null) await telling.tell(reply.text, query.from, address);
  };

  return async (query) => {
    try {
      await press(query);
    } catch (error) {
      await telling.toast(query, 'Beckon could not deal with this press. Please try again in a moment.', 'alert');
      throw error;
    }
  };
}

const unknownButton = 'Beckon does not know this button any more. Nothing was decided.';
const tooOld = 'This page is too old to write to. Nothing was decided; use the dashboard.';
