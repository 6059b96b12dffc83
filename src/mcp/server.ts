import { McpServer } from '@modelcontextprotocol/server';
import { instructions } from './instructions.ts';
import type { ToolDeps } from './tool-deps.ts';
import { registerRequestPermission } from './tools/request-permission.ts';
import { registerRequestPlanCheck } from './tools/request-plan-check.ts';
import { registerRequestSteering } from './tools/request-steering.ts';
import { registerSync } from './tools/sync.ts';

export type { CallFacts, Journal, Log, ToolDeps } from './tool-deps.ts';
export { defaultWaitLimit } from './wait-limit.ts';

/** The MCP server of one caller, unconnected: connect it to any transport of either protocol era. */
export function createBeckonMcpServer(deps: ToolDeps): McpServer {
  const server = new McpServer(
    { name: 'beckon', title: 'Beckon', version: deps.version ?? '0.1.0' },
    // The list never changes; saying so spares clients that lose settings when it does.
    { capabilities: { tools: { listChanged: false } }, instructions },
  );
  registerRequestPermission(server, deps);
  registerRequestPlanCheck(server, deps);
  registerRequestSteering(server, deps);
  registerSync(server, deps);
  return server;
}
