import { CLIENT_INFO_META_KEY, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Instance } from '../../ledger/index.ts';
import type { CallFacts, ToolDeps } from '../tool-deps.ts';

const envelopeSchema = z.looseObject({ [CLIENT_INFO_META_KEY]: z.looseObject({ name: z.string() }) });

/** What a call tells about its client, in both eras: per request since 2026-07-28, from the handshake before. */
export function callFacts(
  server: McpServer,
  ctx: ServerContext,
): CallFacts & { readonly progressToken: string | number | undefined } {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  const envelope = envelopeSchema.safeParse(ctx.mcpReq.envelope);
  const client = envelope.success ? envelope.data[CLIENT_INFO_META_KEY] : server.server.getClientVersion();
  return { progressToken, hasProgressToken: progressToken !== undefined, clientName: client?.name };
}

/** Who asks: given, or found out at the first call. */
export async function instanceOf({ instance }: ToolDeps): Promise<Instance> {
  return typeof instance === 'function' ? await instance() : instance;
}
