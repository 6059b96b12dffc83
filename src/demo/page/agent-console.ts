import type { DemoAgent, ToolAnswer } from '../scene/agent.ts';
import { type AskKind, demoAsk } from './asks.ts';

/** One line of what the agent sees of its call. */
export type ConsoleEntry = { readonly id: number; readonly at: Date } & (
  | { readonly kind: 'call'; readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'result'; readonly answer: ToolAnswer; readonly waitedMs: number }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'failed'; readonly text: string }
);

/** The call that the agent is blocked on. */
export interface BlockedCall {
  readonly tool: string;
  readonly title: string;
  readonly since: Date;
}

/** The agent as the page drives and shows it: one call at a time, because a call blocks. */
export interface AgentConsole {
  blockedOn(): BlockedCall | null;
  /** Oldest first. */
  entries(): readonly ConsoleEntry[];
  /** Makes the agent ask. False: it is blocked already and nothing happened. */
  ask(kind: AskKind): boolean;
  /** The agent gives its call up, which withdraws the request. */
  withdraw(): void;
  onChange(listener: () => void): () => void;
}

const mostEntries = 200;

type Told = ConsoleEntry extends infer Entry ? (Entry extends ConsoleEntry ? Omit<Entry, 'id' | 'at'> : never) : never;

export function createAgentConsole(deps: {
  readonly agent: Pick<DemoAgent, 'call'>;
  readonly now: () => Date;
}): AgentConsole {
  const { agent, now } = deps;
  const listeners = new Set<() => void>();
  const turns = new Map<AskKind, number>();
  let entries: readonly ConsoleEntry[] = [];
  let lastId = 0;
  let blocked: (BlockedCall & { readonly giveUp: AbortController }) | null = null;

  const tell = (told: Told) => {
    lastId += 1;
    entries = [...entries, { ...told, id: lastId, at: now() }].slice(-mostEntries);
    for (const listener of listeners) listener();
  };

  const call = async (
    tool: string,
    args: Readonly<Record<string, unknown>>,
    call: BlockedCall,
    signal: AbortSignal,
  ) => {
    const end = (told: Told) => {
      blocked = null;
      tell(told);
    };
    try {
      const answer = await agent.call(tool, args, { signal, onProgress: (text) => tell({ kind: 'progress', text }) });
      end({ kind: 'result', answer, waitedMs: now().getTime() - call.since.getTime() });
    } catch (error) {
      if (signal.aborted) end({ kind: 'withdrawn' });
      else end({ kind: 'failed', text: error instanceof Error ? error.message : String(error) });
    }
  };

  return {
    blockedOn: () => blocked,
    entries: () => entries,
    ask(kind) {
      if (blocked !== null) return false;
      const turn = turns.get(kind) ?? 0;
      turns.set(kind, turn + 1);
      const { tool, args } = demoAsk(kind, turn);
      const giveUp = new AbortController();
      blocked = { tool, title: String(args.title), since: now(), giveUp };
      tell({ kind: 'call', tool, args });
      void call(tool, args, blocked, giveUp.signal);
      return true;
    },
    withdraw: () => blocked?.giveUp.abort(),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
