import type { Board } from '../../../ledger/index.ts';
import type { VisitHandler } from '../../guard/visits.ts';
import { sendPage, sendParts } from '../../send-page.ts';
import type { ReadFrameFacts } from '../frame-facts.ts';
import { ChannelsPage, ChannelsParts } from './channels-page.tsx';

export interface ChannelsRoom {
  readonly page: VisitHandler;
  readonly parts: VisitHandler;
}

export function createChannelsRoom(deps: {
  readonly board: Board;
  readonly readFrameFacts: ReadFrameFacts;
}): ChannelsRoom {
  const { board, readFrameFacts } = deps;
  return {
    async page(visit) {
      const facts = await readFrameFacts(visit);
      sendPage(visit.response, 200, <ChannelsPage facts={facts} channels={board.channels()} />);
    },
    async parts(visit) {
      const facts = await readFrameFacts(visit);
      sendParts(visit.response, <ChannelsParts facts={facts} channels={board.channels()} />);
    },
  };
}
