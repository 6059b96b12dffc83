import type { Board, BoardChange } from '../ledger/index.ts';
import type { VisitHandler, Visits } from './guard/visits.ts';

const heartbeatMs = 15_000;
/** Every fourth heartbeat looks whether the person is still signed in. */
const heartbeatsPerCheck = 4;
/** A reader that lags this many bytes behind is cut; it reconnects and fetches afresh. */
const mostUnread = 64 * 1024;

/** Server-sent events: says that something changed, and what by id alone. Pages then fetch what they show. */
export function createLive(deps: { readonly board: Board; readonly visits: Visits }): VisitHandler {
  const { board, visits } = deps;
  return async ({ request, response }) => {
    // The reader may have left while its session was looked up; `close` has then been and gone.
    if (response.destroyed || request.socket.destroyed) return;
    response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
    response.flushHeaders();
    const write = (text: string) => {
      if (response.writableEnded || response.destroyed) return;
      if (response.writableLength > mostUnread) response.destroy();
      else response.write(text);
    };
    const unsubscribe = board.subscribe((change) => write(toEvent(change)));
    let beats = 0;
    const timer = setInterval(() => {
      write(': still here\n\n');
      beats += 1;
      if (beats % heartbeatsPerCheck === 0) {
        visits.find(request).then(
          (found) => found ?? response.end(),
          () => response.end(),
        );
      }
    }, heartbeatMs);
    response.on('close', () => {
      clearInterval(timer);
      unsubscribe();
    });
    write('retry: 2000\n\n');
  };
}

function toEvent({ kind, requestId }: BoardChange): string {
  return `event: change\ndata: ${JSON.stringify({ kind, ...(requestId === undefined ? {} : { requestId }) })}\n\n`;
}
