import { writeEntry } from './chain.ts';
import type { Prisma, Request as RequestRecord } from './generated/sqlite/client.ts';
import type { Moves, Tx } from './moves.ts';
import { storable, toRequest } from './rows.ts';
import type { LedgerStore, SettleRequest } from './store.ts';

export function createSettleRequest({ read, move }: Moves): LedgerStore['settleRequest'] {
  return async (input) => {
    const row = await move((tx) => settle(tx, input));
    if (row !== null) return { settled: true, request: toRequest(row) };
    // Nothing changed: somebody was first, its time is over or not yet over, or there is no such request.
    const now = await read((client) => client.request.findUnique({ where: { id: input.requestId } }));
    return { settled: false, request: now === null ? null : toRequest(now) };
  };
}

async function settle(tx: Tx, input: SettleRequest): Promise<RequestRecord | null> {
  const { requestId, outcome, at, decision } = input;
  const [row] = await tx.request.updateManyAndReturn({
    where: { id: requestId, status: 'pending', ...timeGuard(input) },
    data: { ...columnsOf(input), revision: { increment: 1 }, chainSeq: { increment: 1 } },
  });
  if (row === undefined) return null;
  if (decision !== null) await tx.decision.createMany({ data: [decisionOf(input, decision)] });
  const chainHash = await writeEntry(tx, {
    chain: requestId,
    seq: row.chainSeq,
    previousHash: row.chainHash,
    at,
    kind: 'request.settled',
    body: { outcome, decision, revision: row.revision },
  });
  await tx.request.updateMany({ where: { id: requestId }, data: { chainHash } });
  await tx.page.updateMany({ where: { requestId, forgotten: false }, data: { dueAt: at, rank: 0 } });
  return row;
}

function timeGuard({ when, at }: SettleRequest): Prisma.RequestWhereInput {
  switch (when) {
    case 'overdue':
      return { expiresAt: { lte: at } };
    case 'in_time':
      return { expiresAt: { gt: at } };
    case 'any':
      return {};
  }
}

function columnsOf({ outcome, at }: SettleRequest): Prisma.RequestUpdateManyMutationInput {
  return {
    status: outcome.status,
    settledAt: at,
    words: storable(outcome.words),
    chosenIndex: outcome.chosenOption?.index ?? null,
    chosenLabel: outcome.chosenOption?.label ?? null,
    via: outcome.via,
    by: storable(outcome.by),
    account: storable(outcome.account),
    // What was withdrawn and is asked again is a new request; any other ending is handed over once first.
    ...(outcome.status === 'cancelled' ? { joinKey: null } : {}),
  };
}

function decisionOf(
  { requestId, outcome, at }: SettleRequest,
  { choice, optionIndex, text, eventId }: NonNullable<SettleRequest['decision']>,
): Prisma.DecisionCreateManyInput {
  return {
    requestId,
    choice,
    optionIndex,
    text: storable(text),
    eventId: storable(eventId),
    via: outcome.via,
    by: storable(outcome.by),
    account: storable(outcome.account),
    at,
  };
}
