import { type DestinationStream, pino } from 'pino';

/** Structured log lines for the operator. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const levels: readonly string[] = ['debug', 'info', 'warn', 'error', 'silent'];

const secrets = [
  'token',
  'key',
  'botToken',
  'appToken',
  'authorization',
  'cookie',
  '*.token',
  '*.authorization',
  '*.cookie',
];

/** What a disk that is full may hold back in memory before lines are dropped, bytes. */
const mostHeld = 1_000_000;

/** Logs to stderr: stdout belongs to the protocol and to what a command prints. Secrets are blotted out. */
export function createLog(level: string | undefined, destination: DestinationStream = openStderr()): Log {
  // An unknown level is refused by the configuration; until that has spoken, the log must not fall over it.
  return pino(
    {
      level: level !== undefined && levels.includes(level) ? level : 'info',
      base: null,
      redact: { paths: secrets, censor: '…' },
    },
    destination,
  );
}

/** A log that cannot be written (a full disk, a closed pipe) must not end the process, nor the call that wanted to log. */
function openStderr(): DestinationStream {
  const stream = pino.destination({ dest: 2, sync: true, maxLength: mostHeld });
  stream.on('error', () => {});
  return {
    write(line) {
      try {
        stream.write(line);
      } catch {
        // Nobody can be told.
      }
    },
  };
}
