import type { JsonObject } from '../json.ts';
import type { Sockets } from './sockets.ts';
import type { Views } from './views.ts';
import type { Workspace } from './workspace.ts';

/** What a Web API method works with. */
export interface MethodContext {
  readonly workspace: Workspace;
  readonly sockets: Sockets;
  readonly views: Views;
  readonly token: 'bot' | 'app';
  /** `ws://127.0.0.1:PORT`. */
  readonly socketBase: string;
}

/** One method: checked arguments in, Slack's response body out. */
export type Method = (args: JsonObject, context: MethodContext) => object;

/** A call that Slack turned down: HTTP 200 all the same. */
export interface Refusal {
  readonly ok: false;
  readonly error: string;
  readonly errors?: readonly string[];
  readonly response_metadata?: { readonly messages: readonly string[] };
}

export function fail(error: string, details: readonly string[] = []): Refusal {
  if (details.length === 0) return { ok: false, error };
  return {
    ok: false,
    error,
    errors: details,
    response_metadata: { messages: details.map((detail) => `[ERROR] ${detail}`) },
  };
}
