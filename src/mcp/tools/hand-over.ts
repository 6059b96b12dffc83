import type { ServerContext } from '@modelcontextprotocol/server';
import { type Request, toResult } from '../../ledger/index.ts';
import type { ToolDeps } from '../tool-deps.ts';

/**
 * Notes that the agent has the result of a settled request, unless nobody hears it any more: then the next call that asks
 * the same gets it. Never rejects; a note that fails costs at most one answer given again, losing the answer costs a person's time.
 */
export async function handOver(deps: ToolDeps, request: Request, ctx: ServerContext): Promise<void> {
  const { desk, caller, journal, log, handOverBy } = deps;
  const { signal } = ctx.mcpReq;
  const failed = (error: unknown) =>
    log.warn({ err: error, requestId: request.id }, 'could not note that the result was handed over');
  // An agent knows of its own withdrawal: asking the same again is a new question.
  const isOwnDoing = request.status === 'cancelled' && signal.aborted;
  if (!isOwnDoing && (signal.aborted || handOverBy === 'transport')) return;
  await journal?.settled(request.id, toResult(request)).catch(failed);
  await desk.markDelivered(request.id, caller).catch(failed);
}
