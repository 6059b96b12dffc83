import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** A real MCP client over streamable HTTP that asks and waits. */
export async function connectClient(url: URL, key: string) {
  const client = new Client({ name: 'bench', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return {
    ask: (tool: string, title: string) =>
      client.callTool(
        { name: tool, arguments: { title, gist: 'For the benchmark.' } },
        { timeout: 120_000, resetTimeoutOnProgress: true, onprogress: () => {} },
      ),
    close: () => client.close(),
  };
}
