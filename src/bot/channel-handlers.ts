import type { Answer, AnswerReply, ChannelHandlers, ChannelInfo } from '../channels/contract.ts';
import type { LedgerStore } from '../ledger/store/store.ts';
import type { Changes } from './changes.ts';
import type { ChannelSet } from './channel-set.ts';
import { lateText } from './late-text.ts';
import type { Log } from './log.ts';
import type { ReceiveAnswer } from './receive-answer.ts';

const gone: AnswerReply = { fate: 'unknown', text: 'Beckon does not know this page any more. Nothing was decided.' };
const failed: AnswerReply = {
  fate: 'failed',
  text: 'Beckon could not reach its records: nothing was decided. Please try again in a moment.',
};

/** What a channel hands its answers to: a press is matched by page token, judged by account, and settled by the ledger. */
export function createChannelHandlers(deps: {
  readonly store: LedgerStore;
  readonly receiveAnswer: ReceiveAnswer;
  readonly channelSet: ChannelSet;
  readonly channel: ChannelInfo;
  readonly changes: Changes;
  readonly clock: { now(): Date };
  readonly log: Log;
}): ChannelHandlers {
  const { store, receiveAnswer, channelSet, channel, changes, clock, log } = deps;
  const repair = async (pageId: string, requestId: string): Promise<void> => {
    await store.refreshPage(pageId, clock.now());
    changes.publish({ kind: 'request', requestId });
  };

  const receive = async (answer: Answer): Promise<AnswerReply> => {
    const found = await store.findPageByToken(answer.pageToken);
    if (found === null || found.page.address.channel !== channel.name) return gone;
    const { page, request } = found;
    const reply = await receiveAnswer({
      requestId: request.id,
      via: channel.name,
      account: `${channel.name}:${answer.account.id}`,
      displayName: answer.account.displayName,
      choice: answer.choice,
      ...(answer.text === undefined ? {} : { text: answer.text }),
      eventId: answer.eventId,
      mayAnswer: channelSet.mayAnswer(channel.name, answer.account.id),
    });
    // Somebody still had buttons to press: the copy is older than we believe.
    if (reply.fate === 'late' && page.shownRevision >= request.revision) await repair(page.id, request.id);
    return reply;
  };

  return {
    onAnswer: (answer) =>
      receive(answer).catch((error: unknown) => {
        log.error({ err: error, channel: channel.name }, 'an answer could not be looked up');
        return failed;
      }),
    async onCompose(compose) {
      try {
        const found = await store.findPageByToken(compose.pageToken);
        if (found === null) return gone;
        const { request } = found;
        if (!channelSet.mayAnswer(channel.name, compose.account.id)) {
          // The same judgement as a press, so that the attempt is on record.
          return await receive({ ...compose, choice: compose.choice });
        }
        return request.status === 'pending'
          ? null
          : { fate: 'late', text: lateText(request, `${channel.name}:${compose.account.id}`) };
      } catch (error) {
        log.warn({ err: error, channel: channel.name }, 'a form was opened without a look at the request');
        return null;
      }
    },
    async findToken({ chatId, messageId }) {
      try {
        return (await store.findPageByMessage({ channel: channel.name, chatId, messageId }))?.token ?? null;
      } catch (error) {
        log.warn({ err: error, channel: channel.name }, 'a reply could not be matched to a page');
        return null;
      }
    },
    onState: (state) => channelSet.report(channel.name, state),
  };
}
