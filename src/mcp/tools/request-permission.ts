import type { McpServer } from '@modelcontextprotocol/server';
import type { ToolDeps } from '../tool-deps.ts';
import { registerAskingTool } from './asking-tool.ts';

/** `request_permission`: may I do this? */
export function registerRequestPermission(server: McpServer, deps: ToolDeps): void {
  registerAskingTool(server, deps, {
    name: 'request_permission',
    kind: 'permission',
    title: 'Ask a person for permission',
    description: `Asks the people you work for whether you may do one specific thing, and waits for their answer (up to hours).

Use it before anything that is hard to undo, costs money, or touches production, credentials or other people. Do not use it for choices (request_steering) or whole plans (request_plan_check).

Say in title what you will do, as a question with the exact object: "Drop table sessions_2019 on prod?". Say in gist why now, what it affects, how to undo it, and what happens if the answer is no. Put the exact command or diff into extended. Set danger_level honestly.

Returns status approved or denied; expired and cancelled also mean no. With approved, do exactly what you asked for. People's words, if any, are in answer.`,
  });
}
