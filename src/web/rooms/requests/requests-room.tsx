import type { Board, RequestDetail } from '../../../ledger/index.ts';
import type { Notices } from '../../guard/notices.ts';
import { PageError } from '../../guard/page-error.ts';
import type { Visit, VisitHandler } from '../../guard/visits.ts';
import { sendPage, sendParts } from '../../send-page.ts';
import type { ReadFrameFacts } from '../frame-facts.ts';
import { emptyDraft } from './answer-form.tsx';
import { parseAnswer } from './parse-answer.ts';
import { RequestListPage, RequestListParts, type RequestLists } from './request-list.tsx';
import { RequestPage, RequestParts } from './request-page.tsx';

/** Where a request was paged is looked up for this many of the most urgent ones. */
const mostLookups = 20;

export interface RequestsRoom {
  readonly list: VisitHandler;
  readonly listParts: VisitHandler;
  readonly request: VisitHandler;
  readonly requestParts: VisitHandler;
  readonly answer: VisitHandler;
}

export function createRequestsRoom(deps: {
  readonly board: Board;
  readonly readFrameFacts: ReadFrameFacts;
  readonly notices: Notices;
}): RequestsRoom {
  const { board, readFrameFacts, notices } = deps;
  const titleOf = (channel: string) => board.channels().find(({ name }) => name === channel)?.title ?? channel;

  const readLists = async (): Promise<RequestLists> => {
    const [newestFirst, settled] = await Promise.all([
      board.list({ status: 'pending', limit: 100 }),
      board.list({ status: 'settled', limit: 20 }),
    ]);
    const pending = [...newestFirst].sort((a, b) => a.expiresAt.getTime() - b.expiresAt.getTime());
    const details = await Promise.all(pending.slice(0, mostLookups).map(({ id }) => board.find(id)));
    return {
      pending: pending.map((request, index) => ({ request, pages: details[index]?.pages ?? null })),
      settled: [...settled].sort((a, b) => (b.settledAt?.getTime() ?? 0) - (a.settledAt?.getTime() ?? 0)),
    };
  };

  const findDetail = async ({ request }: Visit): Promise<RequestDetail> => {
    const id = String(request.params.id);
    const detail = isRequestId(id) ? await board.find(id) : null;
    if (detail !== null) return detail;
    throw new PageError(
      404,
      'There is no such request',
      'The link may be cut, or the request may have been removed. See all requests for what is open now.',
    );
  };

  return {
    async list(visit) {
      const [facts, lists] = await Promise.all([readFrameFacts(visit), readLists()]);
      const notice = notices.take(visit.request, visit.response);
      sendPage(visit.response, 200, <RequestListPage facts={facts} lists={lists} titleOf={titleOf} notice={notice} />);
    },

    async listParts(visit) {
      const [facts, lists] = await Promise.all([readFrameFacts(visit), readLists()]);
      sendParts(visit.response, <RequestListParts facts={facts} lists={lists} titleOf={titleOf} />);
    },

    async request(visit) {
      const [facts, detail] = await Promise.all([readFrameFacts(visit), findDetail(visit)]);
      const notice = notices.take(visit.request, visit.response);
      const shown = { facts, detail, titleOf, notice, draft: emptyDraft };
      sendPage(visit.response, 200, <RequestPage {...shown} />);
    },

    async requestParts(visit) {
      const [facts, detail] = await Promise.all([readFrameFacts(visit), findDetail(visit)]);
      sendParts(visit.response, <RequestParts facts={facts} detail={detail} titleOf={titleOf} />);
    },

    /** What changed the world (or found it changed) redirects; what did not go through shows the form again with the words in it. */
    async answer(visit) {
      const { session, response } = visit;
      const { request } = await findDetail(visit);
      const parsed = parseAnswer(visit.request, request);
      const reply =
        'fault' in parsed
          ? ({ fate: 'invalid', text: parsed.fault } as const)
          : await board.answer({
              requestId: request.id,
              choice: parsed.choice,
              ...(parsed.text === '' ? {} : { text: parsed.text }),
              by: { account: session.account, displayName: session.displayName },
            });
      if (reply.fate === 'accepted' || reply.fate === 'late') {
        notices.leave(response, { tone: reply.fate === 'accepted' ? 'good' : 'plain', text: reply.text });
        response.redirect(303, `/requests/${request.id}`);
        return;
      }
      const [facts, detail] = await Promise.all([readFrameFacts(visit), findDetail(visit)]);
      const shown = { facts, detail, titleOf, notice: null, draft: { text: parsed.text, fault: reply.text } };
      sendPage(response, statusOf[reply.fate], <RequestPage {...shown} />);
    },
  };
}

const statusOf = { refused: 403, invalid: 422, unknown: 404, failed: 503 } as const;

function isRequestId(text: string): boolean {
  return /^[0-9a-f-]{36}$/i.test(text);
}
