import { createHash } from 'node:crypto';
import { type Ask, type Caller, canonicalText } from '../ledger/index.ts';

/**
 * The id of a request for a call that its client can name: the same call sent again after a cut stream gets the same id
 * and so joins. A UUIDv8 over (key, the client's call id, what is asked); what is asked is part of it because some models
 * number their calls `call_0`, `call_1` from the start in every conversation.
 * @returns null when the client names no call
 */
export function callIdOf(meta: Readonly<Record<string, unknown>> | undefined, caller: Caller, ask: Ask): string | null {
  const call = namedCall(meta);
  if (call === null) return null;
  return toUuid8(
    createHash('sha256')
      .update(canonicalText({ keyId: caller.keyId, call, ask }), 'utf8')
      .digest(),
  );
}

/** Claude Code sends `claudecode/toolUseId`; Codex sends `callId` with its `threadId`. */
function namedCall(meta: Readonly<Record<string, unknown>> | undefined): readonly string[] | null {
  const toolUseId = meta?.['claudecode/toolUseId'];
  if (typeof toolUseId === 'string' && toolUseId !== '') return ['claudecode', toolUseId];
  const { callId, threadId } = meta ?? {};
  if (typeof callId === 'string' && callId !== '' && typeof threadId === 'string' && threadId !== '')
    return ['thread', threadId, callId];
  return null;
}

/** RFC 9562, section 5.8: 122 bits of our own, version 8. */
function toUuid8(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
