import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The command that runs `beckon` from this copy, whatever the PATH is. */
export function beckonScript(): string {
  return join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'bin', 'beckon.js');
}

/** What an agent must be told besides the command when this Beckon is not the default one. */
const carried = ['BECKON_URL', 'BECKON_PORT', 'BECKON_DATA_DIR'] as const;

type Env = Readonly<Record<string, string | undefined>>;

/** The lines that connect each kind of agent over stdio, with those variables of `env` that lead to this Beckon. */
export function connectLines(env: Env, script = beckonScript()): string {
  const variables = Object.fromEntries(carried.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const flags = (flag: string) =>
    Object.entries(variables)
      .map(([name, value]) => `${flag} ${name}=${quote(value)} `)
      .join('');
  const server = {
    command: 'node',
    args: [script, 'mcp'],
    ...(Object.keys(variables).length === 0 ? {} : { env: variables }),
  };
  return [
    `Claude Code:  claude mcp add beckon ${flags('-e')}-- node ${quote(script)} mcp   (and "env": {"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "0"} in .claude/settings.json)`,
    `Codex:        codex mcp add beckon ${flags('--env')}-- node ${quote(script)} mcp   (and tool_timeout_sec = 21900 in its section of config.toml)`,
    `Others:       ${JSON.stringify({ mcpServers: { beckon: server } })}`,
    ...(env.BECKON_URL
      ? ['              (and BECKON_KEY=bk_live_… beside BECKON_URL, where the server is on another machine)']
      : []),
  ].join('\n');
}

/** How a person gets another sign-in link from this Beckon. */
export function signInCommand(env: Env, script = beckonScript()): string {
  const same = ['BECKON_DATA_DIR', 'BECKON_PORT', 'BECKON_PUBLIC_URL', 'DATABASE_URL'].filter((name) => env[name]);
  return `node ${quote(script)} members sign-in NAME${same.length === 0 ? '' : `, with the same ${same.join(', ')}`}`;
}

function quote(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

export async function runConnect(): Promise<number> {
  process.stdout.write(`${connectLines(process.env)}\n`);
  return 0;
}
