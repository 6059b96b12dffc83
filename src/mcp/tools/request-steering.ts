import type { McpServer } from '@modelcontextprotocol/server';
import type { ToolDeps } from '../tool-deps.ts';
import { registerAskingTool } from './asking-tool.ts';

/** `request_steering`: which way? */
export function registerRequestSteering(server: McpServer, deps: ToolDeps): void {
  registerAskingTool(server, deps, {
    name: 'request_steering',
    kind: 'steering',
    title: 'Ask a person which way to go',
    description: `Asks the people you work for a question that only they can answer, and waits for their answer (up to hours).

Use it when the goal is unclear, when requirements contradict each other, or when the choice is a matter of taste or policy. Do not use it to get permission (request_permission).

Say the question in title. Say in gist what you know, and what each choice would lead to. Offer up to 4 options that are complete answers; mark at most one as recommended, if you would choose it. A person may ignore the options and write something else.

Returns status answered with chosenOption (label and index from 0) or with answer (their words). An answer is direction, not permission for something dangerous. expired and cancelled mean that nobody answered.`,
  });
}
