import {
  type Board,
  type BoardAnswer,
  type BoardChange,
  type BoardChannel,
  type BoardReply,
  InvalidPayload,
  type Request,
  type RequestDetail,
  type Settings,
} from '../../src/ledger/index.ts';

/** The board at the edge of the web app: plain lists, and a record of what was asked of it. */
export interface InMemoryBoard extends Board {
  readonly answers: BoardAnswer[];
  put(detail: RequestDetail): void;
  say(change: BoardChange): void;
  readonly listenerCount: number;
  failNext(error: Error): void;
  channelList: BoardChannel[];
  warningList: string[];
}

export function createInMemoryBoard({ now }: { readonly now: () => Date }): InMemoryBoard {
  const details = new Map<string, RequestDetail>();
  const listeners = new Set<(change: BoardChange) => void>();
  const answers: BoardAnswer[] = [];
  let settings: Settings = { ttlSeconds: 21_600 };
  let failure: Error | null = null;

  const settle = (detail: RequestDetail, answer: BoardAnswer): BoardReply => {
    const { request } = detail;
    if (request.status !== 'pending') {
      return { fate: 'late', text: `Too late: ${request.outcome?.by} ${request.status} this on slack at 14:02 UTC.` };
    }
    if ([...(answer.text ?? '')].length > 2_000) return { fate: 'invalid', text: 'Your text is too long.' };
    const { choice } = answer;
    const option = choice.kind === 'option' ? request.options[choice.index] : undefined;
    if (choice.kind === 'option' && option === undefined) return { fate: 'invalid', text: 'There is no such option.' };
    const status = choice.kind === 'approve' ? 'approved' : choice.kind === 'deny' ? 'denied' : 'answered';
    board.put({
      ...detail,
      request: {
        ...request,
        status,
        revision: request.revision + 1,
        settledAt: now(),
        outcome: {
          status,
          words: answer.text ?? null,
          chosenOption:
            choice.kind === 'option' && option !== undefined ? { label: option.label, index: choice.index } : null,
          via: 'dashboard',
          by: answer.by.displayName,
          account: answer.by.account,
        },
      },
    });
    board.say({ kind: 'request', requestId: request.id, status });
    return { fate: 'accepted', text: 'Thank you: your answer is on its way to the agent.' };
  };

  const board: InMemoryBoard = {
    answers,
    channelList: [],
    warningList: [],
    put: (detail) => details.set(detail.request.id, detail),
    say(change) {
      for (const listener of [...listeners]) listener(change);
    },
    get listenerCount() {
      return listeners.size;
    },
    failNext(error) {
      failure = error;
    },
    async list({ status, limit }) {
      if (failure !== null) {
        const error = failure;
        failure = null;
        throw error;
      }
      const all: Request[] = [...details.values()].map(({ request }) => request);
      return all.filter((request) => (request.status === 'pending') === (status === 'pending')).slice(0, limit);
    },
    find: async (requestId) => details.get(requestId) ?? null,
    async answer(answer) {
      answers.push(answer);
      const detail = details.get(answer.requestId);
      return detail === undefined ? { fate: 'unknown', text: 'No such request.' } : settle(detail, answer);
    },
    channels: () => board.channelList,
    readSettings: async () => settings,
    async changeSettings(change) {
      const ttl = change.ttlSeconds ?? settings.ttlSeconds;
      if (ttl < 10 || ttl > 604_800) throw new InvalidPayload(['ttlSeconds: must be from 10 to 604800']);
      settings = { ...settings, ttlSeconds: ttl };
      return settings;
    },
    warnings: async () => board.warningList,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return board;
}
