import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runDemo } from '../demo/run-demo.ts';

const usage = `usage: beckon demo [--auto] [--port 4750] [--server-port N] [--keep]
  --auto         play the scripted scene without a browser and say whether everything was right
  --port         of the page that shows the chats
  --server-port  of the server; any free one unless given
  --keep         leave the data folder behind`;

/** `beckon demo`. Exit code 0 when all was well, 1 when something was not, 2 for arguments that do not fit. */
export async function runDemoCommand(argv: string[]): Promise<number> {
  const options = readArguments(argv);
  if (typeof options === 'string') {
    process.stderr.write(options === usage ? `${usage}\n` : `beckon: ${options}\n${usage}\n`);
    return options === usage ? 0 : 2;
  }
  const stop = new AbortController();
  const onSignal = () => {
    // Asked twice: whoever presses Ctrl-C again does not want to wait. The children end by themselves with us.
    if (stop.signal.aborted) process.exit(1);
    stop.abort(new Error('stopped'));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('SIGHUP', onSignal);
  const code = await runDemo({
    ...options,
    script: fileURLToPath(new URL('../main.js', import.meta.url)),
    env: process.env,
    out: (text) => process.stdout.write(text),
    complain: (line) => process.stderr.write(`beckon: ${line}\n`),
    signal: stop.signal,
  });
  process.off('SIGINT', onSignal);
  process.off('SIGTERM', onSignal);
  process.off('SIGHUP', onSignal);
  return code;
}

interface Arguments {
  readonly auto: boolean;
  readonly port: number;
  readonly serverPort: number;
  readonly keep: boolean;
}

/** The arguments, or what is wrong with them. */
function readArguments(argv: string[]): Arguments | string {
  try {
    const { values } = parseArgs({
      args: argv,
      options: {
        auto: { type: 'boolean', default: false },
        port: { type: 'string' },
        'server-port': { type: 'string' },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return usage;
    const port = toPort(values.port ?? '4750');
    const serverPort = toPort(values['server-port'] ?? '0');
    if (port === null || serverPort === null)
      return 'a port is a whole number from 0 to 65535, for example --port 4750';
    return { auto: values.auto, port, serverPort, keep: values.keep };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function toPort(text: string): number | null {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null;
}
