import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { parsePayload, type Request, resultSchema, toResult, toResultText } from '../../ledger/index.ts';
import type { ToolDeps } from '../tool-deps.ts';
import { instanceOf } from './call-facts.ts';
import { advertise } from './closed-arguments.ts';
import { handOver } from './hand-over.ts';
import { guardTool } from './tool-error.ts';

const noArguments = z.strictObject({});

/** What `sync` returns: who this instance is, and every request it should know about. */
export const syncSchema = z.strictObject({
  instance: z.strictObject({ id: z.string(), label: z.string() }),
  requests: z.array(
    z.strictObject({
      ...resultSchema.shape,
      title: z.string(),
      kind: z.enum(['permission', 'plan_check', 'steering', 'access']),
    }),
  ),
});

/** `sync`: what became of what I asked? */
export function registerSync(server: McpServer, deps: ToolDeps): void {
  server.registerTool(
    'sync',
    {
      title: 'Catch up with what people answered',
      description: `Tells who this instance is and the state of every request it asked and has not got the answer of, including those of a run that crashed here.

Use it when you start again after an interruption, and when a request tool returned status pending. It takes no arguments and pages nobody. If a request is still pending, do other work and call sync again later, or make the same request call again to go on waiting.`,
      inputSchema: advertise(noArguments),
      outputSchema: syncSchema,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    (raw, ctx) =>
      guardTool(deps, 'sync', async () => {
        parsePayload(noArguments, raw);
        return await catchUp(deps, ctx);
      }),
  );
}

async function catchUp(deps: ToolDeps, ctx: ServerContext): Promise<CallToolResult> {
  const { desk, caller, journal } = deps;
  const known = (await journal?.known?.()) ?? [];
  const { instance, requests } = await desk.sync(await instanceOf(deps), caller, known);
  for (const request of requests.filter(({ status }) => status !== 'pending')) await handOver(deps, request, ctx);
  const structuredContent = {
    instance: { id: instance.id, label: instance.label },
    requests: requests.map((request) => ({ ...toResult(request), title: request.title, kind: request.kind })),
  };
  return { content: [{ type: 'text', text: toSyncText(instance.label, requests) }], structuredContent };
}

function toSyncText(label: string, requests: readonly Request[]): string {
  const who = `This instance is ${JSON.stringify(label)}.`;
  if (requests.length === 0) return `${who} No request of it is open and no answer is waiting.`;
  const lines = requests.map(
    (request) => `- ${request.kind} ${JSON.stringify(request.title)} (${request.id}): ${toResultText(request)}`,
  );
  return [who, ...lines].join('\n');
}
