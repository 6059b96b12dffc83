import type { Group } from './group.ts';
import { type Outcome, refuse } from './method.ts';

/** A press spins on the phone for about this long; then the bot's answer comes too late. */
export const spinnerMs = 15_000;
const mostToast = 200;

/** Presses that wait for `answerCallbackQuery`. */
export interface CallbackQueries {
  /** Starts the spinner. `settled` resolves when it stops: answered, or given up. */
  open(personId: string): { readonly id: string; readonly settled: Promise<void> };
  answer(id: string, text: string): Outcome;
  /** Gives all open ones up. */
  stop(): void;
}

export function createCallbackQueries(deps: { readonly group: Group; readonly now: () => Date }): CallbackQueries {
  const { group, now } = deps;
  const open = new Map<string, { readonly personId: string; readonly atMs: number; settle(): void }>();
  let count = 0;

  return {
    open(personId) {
      count += 1;
      const id = String(4_820_000_000_000_000 + count);
      const settled = new Promise<void>((resolve) => {
        const settle = () => {
          clearTimeout(timer);
          open.delete(id);
          resolve();
        };
        const timer = setTimeout(() => {
          group.note(personId, '⚠ The button kept spinning: the bot did not answer the press within 15 s.');
          settle();
        }, spinnerMs);
        open.set(id, { personId, atMs: now().getTime(), settle });
      });
      return { id, settled };
    },
    answer(id, text) {
      const query = open.get(id);
      if (query === undefined || now().getTime() - query.atMs > spinnerMs) {
        return refuse(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid');
      }
      if (text.length > mostToast) return refuse(400, 'Bad Request: MESSAGE_TOO_LONG', { violates: true });
      if (text !== '') group.note(query.personId, text);
      query.settle();
      return { result: true };
    },
    stop() {
      for (const { settle } of [...open.values()]) settle();
    },
  };
}
