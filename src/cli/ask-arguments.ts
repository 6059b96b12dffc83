import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { type Ask, type AskingKind, InvalidPayload, parseAsk } from '../ledger/index.ts';

/** What `beckon ask` was told, checked; files and stdin are read. */
export interface AskArguments {
  readonly ask: Ask;
  readonly ttlSeconds: number | null;
  readonly isJson: boolean;
}

/** The arguments do not fit; `message` says all that is wrong. */
export class UsageError extends Error {
  /** True when nothing is wrong: help was asked for, and `message` is it. */
  readonly isHelp: boolean;
  constructor(message: string, isHelp: boolean) {
    super(message);
    this.name = 'UsageError';
    this.isHelp = isHelp;
  }
}

const kinds: Readonly<Record<string, AskingKind>> = {
  permission: 'permission',
  plan: 'plan_check',
  steering: 'steering',
};

interface Options {
  title?: string;
  gist?: string;
  extended?: string;
  extendedFile?: string;
  danger?: string;
  option?: string[];
  recommend?: number;
  ttl?: number;
  json?: true;
}

/**
 * Reads `permission|plan|steering --title … --gist …` and so on.
 * @param readText the content of a file, or of stdin for `-`
 * @throws UsageError
 */
export function parseAskArguments(argv: readonly string[], readText: (path: string) => string): AskArguments {
  const { kind, options } = parseWords(argv);
  try {
    const args = {
      title: options.title,
      gist: options.gist === '-' ? textOf('--gist', '-', readText) : options.gist,
      extended:
        options.extendedFile === undefined
          ? options.extended
          : textOf('--extended-file', options.extendedFile, readText),
      danger_level: options.danger,
      options: options.option?.map((label, index) => ({
        label,
        ...(options.recommend === index + 1 ? { recommended: true as const } : {}),
      })),
    };
    const present = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
    return { ask: parseAsk(kind, present), ttlSeconds: options.ttl ?? null, isJson: options.json === true };
  } catch (error) {
    if (error instanceof InvalidPayload)
      throw new UsageError(error.faults.map((fault) => asArgument(fault, options)).join('\n'), false);
    throw error;
  }
}

function parseWords(argv: readonly string[]): { readonly kind: AskingKind; readonly options: Options } {
  const said: string[] = [];
  let kind: string | undefined;
  const command = new Command('beckon ask')
    .description('Asks people and waits. Exit code: 0 approved or answered, 1 denied, 2 expired, 3 could not ask.')
    .argument('<kind>', 'permission, plan or steering')
    .option('--title <line>', 'what is asked, in one line')
    .option('--gist <text>', 'what a person needs to decide; - reads it from stdin')
    .option('--extended <text>', 'detail for the dashboard')
    .addOption(
      new Option('--extended-file <file>', 'the same, from a file; - reads it from stdin').conflicts('extended'),
    )
    .option('--danger <level>', 'low, medium or high (permission)')
    .option('--option <label>', 'a choice, up to 4 times (steering)', (label, all: string[] = []) => [...all, label])
    .option('--recommend <n>', 'the number of the choice you would take, from 1', wholeNumber(1, 4))
    .option('--ttl <seconds>', 'how long people have', wholeNumber(1, 604_800))
    .option('--json', 'print the result as JSON')
    .configureOutput({ writeOut: (text) => said.push(text), writeErr: (text) => said.push(text) })
    .exitOverride()
    .action((word: string) => {
      kind = word;
    });
  try {
    command.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new UsageError(
      said
        .join('')
        .trim()
        .replace(/^error: /, ''),
      error.exitCode === 0,
    );
  }
  const options = command.opts<Options>();
  const known = kinds[kind ?? ''];
  if (known === undefined)
    throw new UsageError(`${JSON.stringify(kind)} cannot be asked: permission, plan or steering`, false);
  const count = options.option?.length ?? 0;
  if (options.recommend !== undefined && options.recommend > count) {
    throw new UsageError(`--recommend ${options.recommend}: there are ${count} options`, false);
  }
  return { kind: known, options };
}

function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

function textOf(option: string, path: string, readText: (path: string) => string): string {
  try {
    return readText(path).replace(/\r?\n$/, '');
  } catch (error) {
    throw new UsageError(`${option} ${path}: ${error instanceof Error ? error.message : String(error)}`, false);
  }
}

/** Says a fault in the words that were typed: `danger_level: must be …` is `--danger`, `options.1.label: is …` is `--option 2 is …`. */
function asArgument(fault: string, { extendedFile }: Options): string {
  return `--${fault}`
    .replace(/^--danger_level/, '--danger')
    .replace(/^--extended/, extendedFile === undefined ? '--extended' : '--extended-file')
    .replace(/^--options:/, '--option:')
    .replaceAll(/(?:--)?options\.(\d+)(?:\.label)?/g, (_all, index: string) => `--option ${Number(index) + 1}`)
    .replace(/^(--option \d+): (is|holds) /, '$1 $2 ');
}
