import type { Board, RequestDetail } from '../ledger/index.ts';
import { type LedgerStore, notConfigured } from '../ledger/store/store.ts';
import type { Changes } from './changes.ts';
import type { ChannelSet } from './channel-set.ts';
import type { ReceiveAnswer } from './receive-answer.ts';
import type { SettingsDesk } from './settings.ts';

/** The people's side of the engine, in the server's own process. */
export function createBoard(deps: {
  readonly store: LedgerStore;
  readonly receiveAnswer: ReceiveAnswer;
  readonly channelSet: ChannelSet;
  readonly settings: SettingsDesk;
  readonly changes: Changes;
}): Board {
  const { store, receiveAnswer, channelSet, settings, changes } = deps;
  return {
    list: (filter) => store.listRequests(filter),
    async find(requestId) {
      const request = await store.findRequest(requestId);
      if (request === null) return null;
      const [pages, entries] = await Promise.all([store.pagesOf(requestId), store.entriesOf(requestId)]);
      return { request, pages: pages.map((page) => toCopy(page, request.revision)), entries };
    },
    answer: ({ requestId, choice, text, by }) =>
      receiveAnswer({
        requestId,
        via: 'dashboard',
        account: by.account,
        displayName: by.displayName,
        choice,
        ...(text === undefined ? {} : { text }),
        mayAnswer: true,
      }),
    channels: () => channelSet.states(),
    readSettings: () => settings.read(),
    async changeSettings(change, by) {
      const changed = await settings.change(change, by);
      changes.publish({ kind: 'setting' });
      return changed;
    },
    async warnings() {
      const disabled = (await store.listAddresses()).filter(
        ({ disabledReason, channel }) =>
          disabledReason !== null && disabledReason !== notConfigured && channelSet.byName.has(channel),
      );
      return [
        ...(channelSet.byName.size === 0
          ? [
              'No chat is set up: the dashboard is the only place where requests show. See the README for Slack, Discord and Telegram.',
            ]
          : []),
        ...channelSet.warnings(),
        ...disabled.map(
          (address) =>
            `Pages no longer go to ${channelSet.titleOf(address.channel)} ${address.chatId}: ${address.disabledReason}. Beckon looks every minute whether they can again.`,
        ),
      ];
    },
    subscribe: (listener) => changes.subscribe(listener),
  };
}

function toCopy(
  page: Awaited<ReturnType<LedgerStore['pagesOf']>>[number],
  revision: number,
): RequestDetail['pages'][number] {
  const { address, receipt, lastError, shownRevision } = page;
  const state =
    receipt !== null && shownRevision >= revision
      ? 'shown'
      : lastError !== null
        ? 'failed'
        : receipt !== null
          ? 'behind'
          : 'waiting';
  return {
    channel: address.channel,
    chatId: address.chatId,
    state,
    detail: state === 'failed' ? (lastError ?? '') : '',
  };
}
