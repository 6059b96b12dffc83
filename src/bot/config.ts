import { z } from 'zod';

/** What the server is told by its environment, checked. */
export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: URL;
  /** Host names, besides the loopback ones and that of `publicUrl`, that requests may name. */
  readonly allowedHosts: readonly string[];
  /** `postgres://…`, or `file:…`; null: SQLite in the data folder. */
  readonly databaseUrl: string | null;
  readonly logLevel: string;
  /** Life of a request until people change it on the dashboard. */
  readonly defaultTtlSeconds: number;
}

/** The environment does not fit; `faults` has one line a fault: the variable, what is wrong, a right value. Never a secret. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`Beckon did not start: ${faults.join('; ')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

const sixHours = 6 * 3_600;

const variables = z.object({
  BECKON_HOST: z.string().min(1).default('127.0.0.1'),
  BECKON_PORT: number(0, 65_535, 4747, 'must be a port from 0 to 65535, for example 4747'),
  BECKON_PUBLIC_URL: z
    .string()
    .refine(isHttpUrl, 'must be an http or https address without a path, for example https://beckon.example.com')
    .optional(),
  BECKON_ALLOWED_HOSTS: z.string().default(''),
  BECKON_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], { error: 'must be one of debug, info, warn, error, silent' })
    .default('info'),
  BECKON_REQUEST_TTL_SECONDS: number(
    1,
    604_800,
    sixHours,
    'must be a whole number of seconds from 1 to 604800, for example 21600',
  ),
  DATABASE_URL: z
    .string()
    .regex(
      /^(postgres|postgresql):\/\/|^file:/,
      'must start with postgres:// or file:, for example postgres://beckon@localhost/beckon',
    )
    .optional(),
});

/** Variables of the agent's side and of the data folder: the server reads others, but they are no mistake. */
const others = ['BECKON_DATA_DIR', 'BECKON_URL', 'BECKON_KEY', 'BECKON_SESSION_NAME'];

/**
 * Reads the server's configuration from the environment.
 * @param channelVariables names that the channels read themselves
 * @throws ConfigError with every fault at once; an unknown `BECKON_` variable is one
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  channelVariables: readonly string[],
): ServerConfig {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = variables.safeParse(present);
  const known = [...Object.keys(variables.shape), ...others, ...channelVariables];
  const unknown = Object.keys(present).filter(
    (name) => name.startsWith('BECKON_') && !name.startsWith('BECKON_TEST_') && !known.includes(name),
  );
  const faults = [
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)),
    ...unknown.map((name) => `${name} is not a variable of Beckon; check its spelling against docs/configuration.md`),
  ];
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  const value = parsed.data;
  return {
    host: value.BECKON_HOST,
    port: value.BECKON_PORT,
    publicUrl: new URL(value.BECKON_PUBLIC_URL ?? `http://127.0.0.1:${value.BECKON_PORT}`),
    allowedHosts: value.BECKON_ALLOWED_HOSTS.split(',')
      .map((host) => host.trim())
      .filter((host) => host !== ''),
    databaseUrl: value.DATABASE_URL ?? null,
    logLevel: value.BECKON_LOG_LEVEL,
    defaultTtlSeconds: value.BECKON_REQUEST_TTL_SECONDS,
  };
}

function number(least: number, most: number, fallback: number, message: string) {
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message)
    .default(fallback);
}

function isHttpUrl(text: string): boolean {
  try {
    const url = new URL(text);
    return (
      (url.protocol === 'http:' || url.protocol === 'https:') &&
      url.pathname === '/' &&
      url.search === '' &&
      url.username === ''
    );
  } catch {
    return false;
  }
}
