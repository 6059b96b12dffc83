import type { JsonObject } from '../json.ts';
import type { CallbackQueries } from './callback-queries.ts';
import type { Group } from './group.ts';
import type { Updates } from './updates.ts';

/** What a method works with. */
export interface MethodContext {
  readonly group: Group;
  readonly updates: Updates;
  readonly queries: CallbackQueries;
  readonly now: () => Date;
}

/** One method: arguments in, the `result` or a refusal out; getUpdates takes its time. `ended` fires when the caller hangs up. */
export type Method = (args: JsonObject, context: MethodContext, ended: AbortSignal) => Outcome | Promise<Outcome>;

export type Outcome = { readonly result: unknown } | Refusal;

/** A call that the Bot API turned down. */
export interface Refusal {
  readonly refused: true;
  readonly code: number;
  readonly description: string;
  readonly parameters?: JsonObject;
  /** True: the caller broke a published limit or form; false: the state of the chat was against it. */
  readonly violates: boolean;
}

export function refuse(
  code: number,
  description: string,
  more: { readonly violates?: boolean; readonly parameters?: JsonObject } = {},
): Refusal {
  return { refused: true, code, description, violates: false, ...more };
}
