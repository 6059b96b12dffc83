import type { App, RespondFn } from '@slack/bolt';
import type { ChannelLog } from '../channel-log.ts';
import type { Answer, AnswerReply, ChannelAddress, ChannelHandlers } from '../contract.ts';
import { toVisible } from '../visible-text.ts';
import { within } from '../waiting.ts';
import { formFields, renderForm } from './form.ts';
import { createNames } from './names.ts';
import { type Press, type PressedBy, parsePress, parseSubmission } from './presses.ts';
import { escapeMrkdwn, mostInText, verbatim } from './text.ts';
import type { SlackTiming } from './timing.ts';
import type { Web } from './web.ts';

const anyOfOurs = /^beckon:/;

/** Hands presses and forms on and shows each person what became of theirs. */
export interface Answers {
  listen(app: App): void;
  /** Nothing is handed on afterwards. */
  stop(): void;
}

export function createAnswers(deps: {
  readonly handlers: ChannelHandlers;
  readonly web: Web;
  readonly timing: SlackTiming;
  readonly log: ChannelLog;
}): Answers {
  const { handlers, web, timing, log } = deps;
  const nameOf = createNames({ web, waitMs: timing.nameMs });
  let stopped = false;

  /** Null when the channel was stopped meanwhile: then the press stays unacknowledged, and a second one finds our successor. */
  const judge = async (by: PressedBy, answer: Omit<Answer, 'channel' | 'account'>): Promise<AnswerReply | null> => {
    const account = { id: by.id, displayName: await nameOf(by) };
    return stopped ? null : handlers.onAnswer({ channel: 'slack', account, ...answer });
  };
  const attempt = (what: string, work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      (error: unknown) => {
        log.warn({ channel: 'slack', err: error }, `${what} failed`);
        return false;
      },
    );
  const tell = async (text: string, by: PressedBy, address: ChannelAddress, respond?: RespondFn) => {
    const content = { text: escapeMrkdwn(toVisible(text)), blocks: [verbatim(text, mostInText)] };
    const thread = address.threadId === undefined ? {} : { thread_ts: address.threadId };
    const message = { response_type: 'ephemeral', replace_original: false, ...content, ...thread } as const;
    if (respond !== undefined && (await attempt('a private reply by response_url', respond(message)))) return;
    const post = web.call(timing.sendMs, (client) =>
      client.chat.postEphemeral({ channel: address.chatId, user: by.id, ...content, ...thread }),
    );
    await attempt('a private reply', post);
  };

  const onCompose = async (press: Press, form: 'deny' | 'text', eventId: string, respond: RespondFn) => {
    // The trigger lives 3 s: a name that takes its time is not waited for.
    const account = { id: press.by.id, displayName: press.by.handle };
    const compose = {
      channel: 'slack',
      pageToken: press.token,
      choice: { kind: form },
      account,
      eventId,
      at: press.at,
    } as const;
    const asked = await within(timing.composeMs, handlers.onCompose(compose));
    if (asked !== null && asked.value !== null) return tell(asked.value.text, press.by, press.address, respond);
    const view = renderForm(form, press);
    const opened = web.call(timing.sendMs, (client) => client.views.open({ trigger_id: press.triggerId, view }));
    if (await attempt('opening a form', opened)) return;
    await tell(
      'Slack could not open the form. Nothing was decided; press the button again.',
      press.by,
      press.address,
      respond,
    );
  };

  return {
    listen(app) {
      app.action(anyOfOurs, async ({ ack, body, context, respond }) => {
        const press = parsePress(body);
        const eventId = String(context.envelopeId);
        // Acknowledging is cosmetic: it fails when the socket is gone, and what was recorded stands.
        const acknowledge = () => attempt('acknowledging a press', ack());
        if (press === null || press.does.kind === 'nothing') return void (await acknowledge());
        if (stopped) return;
        if (press.does.kind === 'compose') {
          await acknowledge();
          return onCompose(press, press.does.form, eventId, respond);
        }
        const { choice } = press.does;
        const judged = judge(press.by, { pageToken: press.token, choice, eventId, at: press.at });
        const early = await within(timing.ackMs, judged);
        if (early?.value === null) return;
        await acknowledge();
        const reply = await judged;
        if (reply !== null) await tell(reply.text, press.by, press.address, respond);
      });

      app.view(anyOfOurs, async ({ ack, body, context }) => {
        const form = parseSubmission(body);
        if (form === null) return void (await attempt('acknowledging a form', ack()));
        if (stopped) return;
        const { token, by, choice, text, address } = form;
        const eventId = String(context.envelopeId);
        const judged = judge(by, { pageToken: token, choice, text, eventId, at: new Date() });
        const early = (await within(timing.ackMs, judged))?.value;
        if (early === null) return;
        if (early !== undefined && keepsForm(early)) {
          const errors = { [formFields.block]: toVisible(early.text) };
          return void (await attempt('acknowledging a form', ack({ response_action: 'errors', errors })));
        }
        await attempt('acknowledging a form', ack());
        const reply = early ?? (await judged);
        if (reply !== null) await tell(reply.text, by, address);
      });
    },
    stop: () => {
      stopped = true;
    },
  };
}

/** Where the person can mend it or try again, the form stays open with what they wrote. */
function keepsForm({ fate }: AnswerReply): boolean {
  return fate === 'invalid' || fate === 'failed';
}
