import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Caller, type Desk, type Instance, keyScopes } from '../ledger/index.ts';
import type { ClaimedInstance } from './instance-claim.ts';
import { createBeckonMcpServer, defaultWaitLimit } from './server.ts';
import type { Journal, Log } from './tool-deps.ts';

/** How many ids a server takes in one sync. */
const mostKnown = 200;

export interface StdioDeps {
  /** The server's desk, over the network. */
  readonly desk: Desk;
  /** Takes an identity in this folder. Called once, at the first tool call: a client that only looks takes none. */
  readonly claim: () => Promise<ClaimedInstance>;
  readonly newId: () => string;
  readonly clock: { now(): Date };
  readonly version: string;
  readonly log: Log;
}

/** Serves one agent over this process's stdin and stdout, in the era that the client opens with. Answers at once. */
export function serveAgentOverStdio(deps: StdioDeps): StdioServerHandle {
  const { newId, clock, version, log } = deps;
  const claimed = once(deps.claim);
  const journal: Required<Journal> = {
    asked: async (id, ask) => (await claimed()).ledger.asked(id, ask),
    settled: async (id, result) => (await claimed()).ledger.settled(id, result),
    known: async () => (await claimed()).ledger.known(),
  };
  const tools = {
    desk: forgetting(deps.desk, claimed),
    // The server learns who calls from the key; what the key may not do, the server refuses.
    caller: { keyId: 'remote', name: 'agent', scopes: keyScopes } satisfies Caller,
    instance: async (): Promise<Instance> => (await claimed()).current(),
    waitLimit: defaultWaitLimit,
    journal,
    newId,
    clock,
    cancelOnAbort: true,
    log,
    version,
  };
  return serveStdio(() => createBeckonMcpServer(tools), {
    onerror: (error) => log.warn({ err: error }, 'the agent sent something that is not MCP'),
  });
}

/**
 * What an earlier run noted and the server does not know was never asked: the local ledger need not hold it. What this run noted
 * may still be on its way.
 */
function forgetting(desk: Desk, claimed: () => Promise<ClaimedInstance>): Desk {
  return {
    ...desk,
    async sync(instance, caller, known) {
      const { ledger } = await claimed();
      const asked = known.slice(0, mostKnown);
      const report = await desk.sync(instance, caller, asked);
      const found = new Set(report.requests.map(({ id }) => id));
      const adopted = new Set(ledger.adopted());
      ledger.forget(asked.filter((id) => adopted.has(id) && !found.has(id)));
      return report;
    },
  };
}

/** Runs it at the first call; one that failed is tried again at the next. */
function once<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null;
  return () => {
    result ??= run().catch((error: unknown) => {
      result = null;
      throw error;
    });
    return result;
  };
}
