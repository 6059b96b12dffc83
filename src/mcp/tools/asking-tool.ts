import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import {
  type Ask,
  type AskingKind,
  askSchemas,
  parseAsk,
  resultSchema,
  toResult,
  toResultText,
} from '../../ledger/index.ts';
import type { ToolDeps } from '../tool-deps.ts';
import { callFacts } from './call-facts.ts';
import { advertise } from './closed-arguments.ts';
import { handOver } from './hand-over.ts';
import { openRequest } from './open-request.ts';
import { startProgress } from './progress.ts';
import { guardTool } from './tool-error.ts';
import { waitForPeople } from './wait-for-people.ts';

/** What makes an asking tool different from its siblings. */
export interface AskingTool {
  readonly name: string;
  readonly kind: AskingKind;
  readonly title: string;
  readonly description: string;
}

/** Registers a tool that asks people and blocks until they answer. */
export function registerAskingTool(server: McpServer, deps: ToolDeps, tool: AskingTool): void {
  server.registerTool(
    tool.name,
    {
      title: tool.title,
      description: tool.description,
      inputSchema: advertise(askSchemas[tool.kind]),
      outputSchema: resultSchema,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    (raw, ctx) => guardTool(deps, tool.name, () => askPeople(server, deps, parseAsk(tool.kind, raw), ctx)),
  );
}

async function askPeople(server: McpServer, deps: ToolDeps, ask: Ask, ctx: ServerContext): Promise<CallToolResult> {
  const call = callFacts(server, ctx);
  const { signal } = ctx.mcpReq;
  const endsAt = deadlineIn(deps.waitLimit(call));
  const progress = startProgress(deps, ctx, call.progressToken);
  try {
    const opened = await openRequest(deps, ask, ctx.mcpReq._meta);
    progress.follow(opened);
    const request = await waitForPeople(deps, opened, signal, endsAt);
    if (request.status !== 'pending') await handOver(deps, request, ctx);
    return { content: [{ type: 'text', text: toResultText(request) }], structuredContent: toResult(request) };
  } finally {
    progress.stop();
  }
}

/** The client's own timer runs in real time from the moment it called, so ours does too. */
function deadlineIn(ms: number | null): number {
  return ms === null ? Number.POSITIVE_INFINITY : performance.now() + ms;
}
