import type { RequestHandler } from 'express';

/** What the page can show anew. */
export type PagePart = 'agent' | 'slack' | 'discord' | 'telegram';

const heartbeatMs = 15_000;

/** Server-sent events that name the part that changed; the page then fetches it. */
export interface PageLive {
  readonly serve: RequestHandler;
  tell(part: PagePart): void;
  stop(): void;
}

export function createPageLive(): PageLive {
  const ends = new Set<() => void>();
  const writers = new Set<(text: string) => void>();
  return {
    serve(_request, response) {
      response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      response.flushHeaders();
      const write = (text: string) => void response.write(text);
      const end = () => response.end();
      const timer = setInterval(() => write(': still here\n\n'), heartbeatMs);
      writers.add(write);
      ends.add(end);
      response.on('close', () => {
        clearInterval(timer);
        writers.delete(write);
        ends.delete(end);
      });
      write('retry: 1000\n\nevent: hello\ndata: {}\n\n');
    },
    tell(part) {
      for (const write of writers) write(`event: change\ndata: ${part}\n\n`);
    },
    stop() {
      for (const end of ends) end();
    },
  };
}
