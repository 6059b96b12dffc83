import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The command that runs `beckon` from this copy, whatever the PATH is. */
export function beckonScript(): string {
  return join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'bin', 'beckon.js');
}

/** The lines that connect each kind of agent over stdio. */
export function connectLines(script = beckonScript()): string {
  const json = JSON.stringify({ mcpServers: { beckon: { command: 'node', args: [script, 'mcp'] } } });
  return [
    `Claude Code:  claude mcp add beckon -- node ${quote(script)} mcp   (and "env": {"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "0"} in .claude/settings.json)`,
    `Codex:        codex mcp add beckon -- node ${quote(script)} mcp   (and tool_timeout_sec = 21900 in its section of config.toml)`,
    `Others:       ${json}`,
  ].join('\n');
}

function quote(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

export async function runConnect(): Promise<number> {
  process.stdout.write(`${connectLines()}\n`);
  return 0;
}
