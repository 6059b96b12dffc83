import { dataDirOf } from './data-dir.ts';

/** What an agent's machine tells `beckon mcp` and `beckon ask`, checked. */
export interface AgentConfig {
  /** A server somewhere, or the one of this machine that is started when none runs. A key of null: the local one. */
  readonly server:
    | { readonly at: 'url'; readonly baseUrl: string; readonly key: string | null }
    | { readonly at: 'local'; readonly port: number; readonly key: string | null };
  readonly dataDir: string;
  /** Overrides `folder · branch`; null: not set. */
  readonly sessionName: string | null;
  readonly logLevel: string;
}

/** The agent's environment does not fit; `faults` has one line a fault: the variable, what is wrong, a right value. */
export class AgentConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.name = 'AgentConfigError';
    this.faults = faults;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

const sessionNameCap = 100;
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'];

/**
 * Reads the agent-side environment.
 * @throws AgentConfigError with every fault at once
 */
export function readAgentConfig(env: Env, platform: NodeJS.Platform, home: string): AgentConfig {
  const faults = Object.keys(env)
    .filter((name) => name.startsWith('BECKON_') && !known.test(name))
    .map(unknown);
  const config = {
    server: serverOf(env, faults),
    dataDir: dataDirOf(env, platform, home),
    sessionName: sessionNameOf(env, faults),
    logLevel: logLevelOf(env, faults),
  };
  if (faults.length > 0) throw new AgentConfigError(faults);
  return config;
}

/** Those of the server and its channels are no mistake on an agent's machine. */
const known =
  /^BECKON_(URL|KEY|PORT|DATA_DIR|SESSION_NAME|LOG_LEVEL|HOST|PUBLIC_URL|ALLOWED_HOSTS|REQUEST_TTL_SECONDS|(SLACK|DISCORD|TELEGRAM|TEST)_\w+)$/;

function unknown(name: string): string {
  return `${name} is not a variable of Beckon; check its spelling against docs/configuration.md`;
}

function serverOf(env: Env, faults: string[]): AgentConfig['server'] {
  const url = env.BECKON_URL?.trim();
  const key = keyOf(env, faults);
  if (!url) return { at: 'local', port: portOf(env, faults), key };
  if (!isHttpUrl(url)) {
    faults.push('BECKON_URL must be an http or https address, for example https://beckon.example.com');
  } else if (key === null && !isThisMachine(url)) {
    faults.push('BECKON_KEY is missing: BECKON_URL is a server elsewhere, so set the key that it gave you, bk_live_…');
  }
  return { at: 'url', baseUrl: url.replace(/\/+$/, ''), key };
}

function keyOf(env: Env, faults: string[]): string | null {
  const key = env.BECKON_KEY?.trim() ?? '';
  if (key === '') return null;
  if (!/^bk_live_[A-Za-z0-9_-]+$/.test(key))
    faults.push('BECKON_KEY is not a key of Beckon: it must start with bk_live_');
  return key;
}

function portOf(env: Env, faults: string[]): number {
  const text = env.BECKON_PORT;
  if (!text) return 4747;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) faults.push('BECKON_PORT must be a port from 1 to 65535, for example 4747');
  return port;
}

function sessionNameOf(env: Env, faults: string[]): string | null {
  const variable = env.BECKON_SESSION_NAME?.trim() ? 'BECKON_SESSION_NAME' : 'RIBY_SESSION_NAME';
  const name = env[variable]?.trim();
  if (!name) return null;
  const length = [...name].length;
  if (length > sessionNameCap) {
    faults.push(`${variable} is ${length} characters long; at most ${sessionNameCap}, for example "nightly build"`);
  }
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) || !name.isWellFormed()) {
    faults.push(`${variable} holds a control character or a line break; write one plain line`);
  }
  return name;
}

function logLevelOf(env: Env, faults: string[]): string {
  const level = env.BECKON_LOG_LEVEL || 'warn';
  if (!logLevels.includes(level)) faults.push(`BECKON_LOG_LEVEL must be one of ${logLevels.join(', ')}`);
  return level;
}

function isHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return (url?.protocol === 'http:' || url?.protocol === 'https:') && url.username === '' && url.search === '';
}

function isThisMachine(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}
