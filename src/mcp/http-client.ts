import { createHash } from 'node:crypto';
import type { Caller, Instance } from '../ledger/index.ts';

/** What a client over HTTP tells about itself. All of it comes from outside. */
export interface HttpClient {
  /** `clientInfo.name` */
  readonly name: string | undefined;
  /** The header `Beckon-Session-Name`: how the agent's owner calls it. */
  readonly sessionName: string | undefined;
}

/** A header value as text: UTF-8 where it is, else the Latin-1 that Node hands out. */
export function headerText(value: string | null): string | undefined {
  if (value === null) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

/**
 * The instance behind a call over HTTP: the same key, client and session name are the same instance, so that a call sent
 * again after a reconnection joins. Agents that share a key should each send a `Beckon-Session-Name`.
 */
export function instanceOfClient(caller: Caller, client: HttpClient): Instance {
  const name = client.sessionName ?? client.name ?? '';
  const label = [...(name.trim() === '' ? caller.name : name.trim())].slice(0, 100).join('');
  const hash = createHash('sha256').update(JSON.stringify([caller.keyId, client.name, client.sessionName]), 'utf8');
  return { id: `http-${hash.digest('hex').slice(0, 32)}`, label };
}
