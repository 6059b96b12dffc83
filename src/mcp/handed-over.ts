import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { z } from 'zod';

const settled = z.looseObject({
  requestId: z.string(),
  status: z.enum(['approved', 'denied', 'answered', 'expired', 'cancelled']),
});
const asked = z.looseObject({ result: z.looseObject({ structuredContent: settled }) });
const synced = z.looseObject({
  result: z.looseObject({ structuredContent: z.looseObject({ requests: z.array(z.unknown()) }) }),
});

/** The requests whose results a JSON-RPC response of ours carries: one for an asking tool, several for `sync`. */
export function settledRequestIds(message: JSONRPCMessage): readonly string[] {
  const one = asked.safeParse(message);
  if (one.success) return [one.data.result.structuredContent.requestId];
  const many = synced.safeParse(message);
  if (!many.success) return [];
  return many.data.result.structuredContent.requests.flatMap((request) => {
    const each = settled.safeParse(request);
    return each.success ? [each.data.requestId] : [];
  });
}
