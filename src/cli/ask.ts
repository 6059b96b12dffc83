import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { createLog, type Log } from '../bot/log.ts';
import { type Caller, type Desk, DeskError, keyScopes, type Request, toResult, toResultText } from '../ledger/index.ts';
import type { ClaimedInstance } from '../mcp/instance-claim.ts';
import { type AgentConfig, AgentConfigError, readAgentConfig } from './agent-config.ts';
import { claimHere, newId, openAgentDesk } from './agent-desk.ts';
import { type AskArguments, parseAskArguments, UsageError } from './ask-arguments.ts';

const couldNotAsk = 3;
/** The key says who calls; the server knows what it may do. */
const caller: Caller = { keyId: 'remote', name: 'beckon ask', scopes: keyScopes };

/**
 * `beckon ask`: asks people from a script or hook, waits, and prints the answer on stdout. Resolves with the exit code: 0 approved
 * or answered, 1 denied, 2 expired, 3 could not ask (or withdrawn, by Ctrl-C).
 */
export async function runAsk(argv: string[]): Promise<number> {
  try {
    const args = parseAskArguments(argv, (path) => readFileSync(path === '-' ? 0 : path, 'utf8'));
    const config = readAgentConfig(process.env, process.platform, homedir());
    const request = await askPeople(args, config);
    return exitCodeOf(request);
  } catch (error) {
    if (error instanceof UsageError && error.isHelp) {
      process.stdout.write(`${error.message}\n`);
      return 0;
    }
    for (const line of linesOf(error)) process.stderr.write(`beckon ask: ${line}\n`);
    return couldNotAsk;
  }
}

async function askPeople(args: AskArguments, config: AgentConfig): Promise<Request> {
  const log = createLog(config.logLevel);
  const { desk } = openAgentDesk(config, process.env, log);
  const claimed = await claimHere(config, 'script', log);
  const release = () => claimed.release();
  process.once('exit', release);
  // Whoever read our output may be gone; the exit code still tells.
  process.stdout.on('error', (error) => log.warn({ err: error }, 'the answer could not be printed'));
  const interrupted = listenForInterrupt();
  try {
    const request = await waitForAnswer(await open(args, desk, claimed), desk, interrupted.signal);
    process.stdout.write(`${args.isJson ? JSON.stringify(toResult(request)) : toResultText(request)}\n`);
    if (request.status !== 'pending') await handOver(request, desk, claimed, log);
    return request;
  } finally {
    interrupted.stop();
    process.off('exit', release);
    release();
  }
}

async function open(
  { ask, ttlSeconds }: AskArguments,
  desk: Desk,
  { ledger, current }: ClaimedInstance,
): Promise<Request> {
  const id = newId();
  await ledger.asked(id, ask);
  const life = ttlSeconds === null ? {} : { ttlSeconds };
  const { request } = await desk.ask({ id, ask, instance: current(), caller, ...life });
  if (request.id !== id) {
    // It joined a question that an earlier run left open: that one is in the ledger, ours was never asked.
    ledger.forget([id]);
    await ledger.asked(request.id, ask);
  }
  process.stderr.write(
    `beckon ask: asked ${request.id}; waiting for a person until ${request.expiresAt.toISOString()}\n`,
  );
  return request;
}

async function waitForAnswer(asked: Request, desk: Desk, interrupted: AbortSignal): Promise<Request> {
  let request = asked;
  while (request.status === 'pending' && !interrupted.aborted) {
    request = await desk.wait(request.id, caller, { timeoutMs: 30_000, signal: interrupted });
  }
  if (request.status !== 'pending') return request;
  // An agent or another run may wait for the same question: then it stays open.
  return await desk.cancel(request.id, caller, 'The person who ran the command interrupted it.', {
    unlessAwaited: true,
  });
}

/** Ctrl-C withdraws the question; a second one ends at once. */
function listenForInterrupt(): { readonly signal: AbortSignal; stop(): void } {
  const interrupted = new AbortController();
  const onInterrupt = () => {
    if (interrupted.signal.aborted) process.exit(couldNotAsk);
    process.stderr.write('beckon ask: withdrawing the question; press Ctrl-C again to leave it open\n');
    interrupted.abort();
  };
  process.on('SIGINT', onInterrupt);
  return { signal: interrupted.signal, stop: () => void process.off('SIGINT', onInterrupt) };
}

/** The answer is printed; a note that fails costs at most one answer given again. */
async function handOver(request: Request, desk: Desk, { ledger }: ClaimedInstance, log: Log): Promise<void> {
  try {
    await ledger.settled(request.id, toResult(request));
    await desk.markDelivered(request.id, caller);
  } catch (error) {
    log.warn({ err: error, requestId: request.id }, 'could not note that the answer was printed');
  }
}

function exitCodeOf({ status }: Request): number {
  if (status === 'approved' || status === 'answered') return 0;
  if (status === 'denied') return 1;
  return status === 'expired' ? 2 : couldNotAsk;
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof UsageError) return error.message.split('\n');
  if (error instanceof AgentConfigError) return error.faults;
  if (error instanceof DeskError) return [`[${error.code}] ${error.message}`];
  const why = error instanceof Error ? error.message : String(error);
  return [`could not ask, and nobody was paged by it: ${why}`];
}
