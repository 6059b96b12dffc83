import type { EmulatedChat } from '../emulator.ts';

type Platform = EmulatedChat['platform'];

/** One question of the scene, and what people do about it. */
export interface Act {
  readonly heading: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>> & { readonly title: string };
  /** Null: nobody answers. */
  readonly answer: ActAnswer | null;
  /** The result as the agent must get it, without `requestId` and who and where. */
  readonly result: Readonly<Record<string, unknown>>;
  /** Words that every copy must show in the end, besides who, where and when. */
  readonly outcomeWords: readonly string[];
}

export interface ActAnswer {
  readonly place: Platform;
  /** Finds the button by its label. */
  readonly label: RegExp;
  /** What the person writes in the form that the button opens. */
  readonly text?: string;
}

const retryOptions = [
  {
    label: 'Exponential backoff with full jitter, at most 5 tries within 30 seconds, then tell the customer',
    recommended: true,
  },
  { label: 'A fixed pause of 2 seconds, 3 tries: simple, but every client comes back in the same second' },
  { label: 'Queue the payment and retry for up to 24 hours; the customer sees "pending" and gets an e-mail' },
  { label: 'A circuit breaker: fail at once while the network is down, probe it every 10 seconds' },
] as const;

const settled = { expired: false, deniedByTimeout: false } as const;
const reason = 'Step 4 drops the old column while version 2.13 still reads it. Do it a release later.';

/** Answered by people, each in another chat. */
export const answeredActs: readonly Act[] = [
  {
    heading: 'A permission, approved in Slack',
    tool: 'request_permission',
    args: {
      title: 'Deploy payments-api 2.14.0 to production?',
      gist: 'All 1,284 tests pass and staging has been quiet for 40 minutes. Rollback takes about 90 seconds.',
      danger_level: 'medium',
    },
    answer: { place: 'slack', label: /^\W*approve/i },
    result: { status: 'approved', decision: 'approved', ...settled },
    outcomeWords: ['approved'],
  },
  {
    heading: 'A plan check, denied with a reason in Discord',
    tool: 'request_plan_check',
    args: {
      title: 'Split orders.customer_name into two columns',
      gist: '1. Add the columns.\n2. Write both.\n3. Backfill 41 M rows in batches of 5,000.\n4. Drop the old column.',
      extended: 'The backfill takes no lock longer than 40 ms (measured on a copy).',
    },
    answer: { place: 'discord', label: /reason/i, text: reason },
    result: { status: 'denied', decision: 'denied', answer: reason, ...settled },
    outcomeWords: ['denied', reason],
  },
  {
    heading: 'A steering question, an option tapped in Telegram',
    tool: 'request_steering',
    args: {
      title: 'How should we retry the card network?',
      gist: 'It answered 503 for 11 minutes last night and 4,200 payments failed.',
      options: retryOptions,
    },
    answer: { place: 'telegram', label: /^\D*3\b/ },
    result: { status: 'answered', chosenOption: { index: 2, label: retryOptions[2].label }, ...settled },
    outcomeWords: ['answered', retryOptions[2].label],
  },
];

/** Nobody answers this one. */
export const expiringAct: Act = {
  heading: 'A permission that nobody answers, after a restart of the server',
  tool: 'request_permission',
  args: {
    title: 'Rotate the signing key of the webhooks?',
    gist: 'It is 11 months old. Consumers fetch the new one within 5 minutes.',
    danger_level: 'low',
  },
  answer: null,
  result: { status: 'expired', decision: 'denied', answer: 'Denied by timeout', expired: true, deniedByTimeout: true },
  outcomeWords: ['expired'],
};
