import { SdkError, SdkErrorCode } from '@modelcontextprotocol/server';

/**
 * Why a call was aborted. The SDK aborts its signal for three different things and tells them apart only by the reason:
 * - `closed`: stdin ended, the session or the 2026-07-28 stream closed (`SdkError ConnectionClosed`);
 * - `gave_up`: `notifications/cancelled` because the client's own timer ran out (every SDK says so in `reason`);
 * - `withdrawn`: any other `notifications/cancelled`. Its `reason` may be missing, then the signal holds an `AbortError`.
 * Only the last is the agent's wish; after the others the question stays open and the same call joins it.
 */
export function meaningOfAbort(signal: AbortSignal): 'closed' | 'gave_up' | 'withdrawn' {
  const reason: unknown = signal.reason;
  if (reason instanceof SdkError) return reason.code === SdkErrorCode.ConnectionClosed ? 'closed' : 'gave_up';
  if (typeof reason === 'string') return /time[ds]?[ -]?out/i.test(reason) ? 'gave_up' : 'withdrawn';
  return reason instanceof DOMException && reason.name === 'AbortError' ? 'withdrawn' : 'closed';
}
