import type { McpServer } from '@modelcontextprotocol/server';
import type { ToolDeps } from '../tool-deps.ts';
import { registerAskingTool } from './asking-tool.ts';

/** `request_plan_check`: is this plan right? */
export function registerRequestPlanCheck(server: McpServer, deps: ToolDeps): void {
  registerAskingTool(server, deps, {
    name: 'request_plan_check',
    kind: 'plan_check',
    title: 'Have a person check a plan',
    description: `Shows the people you work for a plan before you carry it out, and waits for their answer (up to hours).

Use it before work of several steps that would be costly to redo: a migration, a refactoring, a release.

Say in title what the plan achieves. Say in gist the steps in order, what you decided against, and the riskiest assumption. Put the full plan into extended.

Returns status approved or denied; expired and cancelled also mean no. When it is denied with words, they are in answer: change the plan accordingly before you ask again.`,
  });
}
