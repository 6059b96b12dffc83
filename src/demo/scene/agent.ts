import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** What an agent got back from a tool: the fields, and the text twin that a model reads. */
export interface ToolAnswer {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly isError: boolean;
}

export interface CallOptions {
  readonly onProgress?: (message: string) => void;
  /** Aborting withdraws the call, as an agent does that no longer needs the answer. */
  readonly signal?: AbortSignal;
}

/** An agent with nothing but a real MCP client and `beckon mcp` as its server over stdio. */
export interface DemoAgent {
  /** Blocks until a person answers, or the request expires. @throws when the connection is lost or the signal aborts */
  call(tool: string, args: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<ToolAnswer>;
  readonly pid: number | null;
  close(): Promise<void>;
}

/** Longer than any request lives (a week): the call ends with the request, not before it. */
const patienceMs = 8 * 24 * 3_600_000;

/**
 * Starts `beckon mcp` and connects to it.
 * @param env what the agent's machine says, complete; nothing else is inherited
 * @throws when the process cannot start or does not speak MCP
 */
export async function connectDemoAgent(deps: {
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onStderr: (line: string) => void;
}): Promise<DemoAgent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [deps.script, 'mcp'],
    cwd: deps.cwd,
    env: { ...deps.env },
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n')) if (line.trim() !== '') deps.onStderr(line);
  });
  const client = new Client({ name: 'demo-agent', version: '1.0.0' });
  await client.connect(transport);
  return {
    get pid() {
      return transport.pid;
    },
    async call(tool, args, options = {}) {
      const { onProgress, signal } = options;
      const result = await client.callTool(
        { name: tool, arguments: { ...args } },
        {
          timeout: patienceMs,
          // Only a client that listens for progress sends a token for it.
          onprogress: ({ message }) => onProgress?.(message ?? ''),
          ...(signal === undefined ? {} : { signal }),
        },
      );
      const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
      return { fields: toFields(result.structuredContent), text, isError: result.isError === true };
    },
    close: () => client.close(),
  };
}

function toFields(structured: unknown): Readonly<Record<string, unknown>> {
  return typeof structured === 'object' && structured !== null ? Object.fromEntries(Object.entries(structured)) : {};
}
