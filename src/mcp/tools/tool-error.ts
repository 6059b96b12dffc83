import type { CallToolResult } from '@modelcontextprotocol/server';
import { DeskError, InvalidPayload } from '../../ledger/index.ts';
import type { ToolDeps } from '../tool-deps.ts';

/** An error result of one line, `[code] sentence`. Only our own sentences reach a model. */
export function toToolError(code: string, sentence: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: `[${code}] ${sentence}` }] };
}

/**
 * Runs a tool so that it never throws: what its caller may not do, wrong arguments and failures of the desk become error
 * results, and anything else is logged and told as `[internal]`.
 */
export async function guardTool(
  deps: ToolDeps,
  tool: string,
  run: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  if (!deps.caller.scopes.includes('request_decisions')) {
    return toToolError(
      'forbidden',
      `This API key may not use ${tool}: it lacks the scope request_decisions. Nobody was paged. Ask the owner of the key for one with that scope.`,
    );
  }
  try {
    return await run();
  } catch (error) {
    if (error instanceof InvalidPayload) return toToolError(error.code, oneLine(error.faults));
    if (error instanceof DeskError) return toToolError(error.code, error.message);
    deps.log.error({ err: error, tool }, 'a tool failed');
    return toToolError(
      'internal',
      `Beckon failed inside ${tool}. Nothing was approved. Call sync to see what was asked; the operator finds the cause in Beckon's log.`,
    );
  }
}

/** Ten faults, each cut to 300 characters: names of arguments come from outside and may be long or hold line breaks. */
function oneLine(faults: readonly string[]): string {
  const shown = faults.slice(0, 10).map((fault) => [...fault.replaceAll(/\s+/g, ' ')].slice(0, 300).join(''));
  return [...shown, ...(faults.length > 10 ? [`and ${faults.length - 10} more`] : [])].join('; ');
}
