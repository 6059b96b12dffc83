import type { IncomingMessage } from 'node:http';
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { Caller, KeyRing } from '../ledger/index.ts';
import { type Refusal, refusal } from './http-errors.ts';

/** Who may come in: a known Host, no foreign Origin (both against DNS rebinding), a valid key. */
export async function admit(
  req: IncomingMessage,
  { keys, allowedHosts }: { readonly keys: KeyRing; readonly allowedHosts: readonly string[] },
): Promise<{ readonly caller: Caller } | { readonly refused: Refusal }> {
  const { host, origin, authorization } = req.headers;
  if (!validateHostHeader(host, [...allowedHosts]).ok) {
    const name = JSON.stringify(host ?? '');
    return refused(
      403,
      `This server does not answer to the host ${name}. Use its own address, or let its operator allow that name.`,
    );
  }
  if (!validateOriginHeader(origin, [...allowedHosts]).ok) {
    return refused(403, `Pages of ${JSON.stringify(origin)} may not call this server. MCP clients send no Origin.`);
  }
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  const caller = token === undefined ? null : await keys.authenticate(token);
  if (caller !== null) return { caller };
  // One answer for a missing, wrong, expired or revoked key. No resource_metadata: some clients drop their key when OAuth answers.
  return refused(
    401,
    '[unauthorized] The API key is missing or not valid. Send it as "Authorization: Bearer bk_live_…"; on the machine of the server it is in the file local-key of the data folder.',
    { 'www-authenticate': 'Bearer error="invalid_token"' },
  );
}

function refused(status: number, message: string, headers?: Readonly<Record<string, string>>) {
  return { refused: refusal(status, message, undefined, headers) };
}
