/** What the demo's agent asks when its console's buttons are pressed. */
export type AskKind = 'permission' | 'plan_check' | 'steering';

export interface DemoAsk {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export const askKinds: readonly { readonly kind: AskKind; readonly label: string; readonly about: string }[] = [
  { kind: 'permission', label: 'Ask a permission', about: 'a deploy to production' },
  { kind: 'plan_check', label: 'Ask a plan check', about: 'a migration of 41 million rows' },
  { kind: 'steering', label: 'Ask for steering', about: 'which retry strategy?' },
];

/** The content of one ask; each press of a button takes the next one of its kind, so that a second ask is another question. */
export function demoAsk(kind: AskKind, turn: number): DemoAsk {
  const asks = scenes[kind];
  return asks[turn % asks.length] ?? asks[0];
}

const scenes: Readonly<Record<AskKind, readonly [DemoAsk, ...DemoAsk[]]>> = {
  permission: [
    {
      tool: 'request_permission',
      args: {
        title: 'Deploy payments-api 2.14.0 to production?',
        gist: 'All 1,284 tests pass and staging has been quiet for 40 minutes. The release changes how refunds are rounded. Rolling deploy, 3 of 12 pods at a time; rollback takes about 90 seconds.',
        extended:
          'Commits since 2.13.4:\n  9f31c02  Round refunds half-even, as the ledger does\n  41be77a  Retry the card network once on 502\n  c0a9d18  Drop the unused v1 webhook\n\nCommand: deployctl rollout payments-api --version 2.14.0 --env production --batch 3',
        danger_level: 'medium',
      },
    },
    {
      tool: 'request_permission',
      args: {
        title: 'Delete 212 stale preview environments?',
        gist: 'None was opened for 30 days; they cost about $41 a day. Four belong to branches that still exist: those I would keep.',
        danger_level: 'low',
      },
    },
  ],
  plan_check: [
    {
      tool: 'request_plan_check',
      args: {
        title: 'Split orders.customer_name into two columns',
        gist: '1. Add given_name and family_name, nullable.\n2. Write both from the app (one deploy).\n3. Backfill 41 M rows in batches of 5,000, about 3 hours.\n4. Switch reads, watch for a day, then drop the old column.',
        extended:
          'Every step can be undone until 4. The backfill takes no lock longer than 40 ms (measured on a copy). Step 4 is one-way: I will ask again before it.',
      },
    },
    {
      tool: 'request_plan_check',
      args: {
        title: 'Move session storage from Redis to Postgres',
        gist: '1. Write to both for a week.\n2. Read from Postgres, fall back to Redis.\n3. Stop writing to Redis.\nNobody is signed out; p95 of sign-in grows by about 3 ms.',
      },
    },
  ],
  steering: [
    {
      tool: 'request_steering',
      args: {
        title: 'How should we retry the card network?',
        gist: 'It answered 503 for 11 minutes last night and 4,200 payments failed. I can make it any of these; the first two need no schema change.',
        options: [
          {
            label:
              'Exponential backoff with full jitter, at most 5 tries within 30 seconds, then fail and tell the customer to try again',
            recommended: true,
          },
          { label: 'A fixed pause of 2 seconds, 3 tries: simple, but every client comes back in the same second' },
          {
            label:
              'Queue the payment and retry for up to 24 hours in the background; the customer sees "pending" and gets an e-mail',
          },
          { label: 'A circuit breaker: fail at once while the network is down, probe it every 10 seconds' },
        ],
      },
    },
    {
      tool: 'request_steering',
      args: {
        title: 'Two tests contradict each other. Which one is right?',
        gist: 'refunds.spec says a refund of 0.005 rounds to 0.00, ledger.spec says 0.01. Both were green until 9f31c02.',
        options: [
          { label: 'refunds.spec: half-even, as the ledger of the bank does', recommended: true },
          { label: 'ledger.spec: half-up, as printed on invoices since 2019' },
        ],
      },
    },
  ],
};
