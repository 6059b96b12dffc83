import type { ServerResponse } from 'node:http';

/**
 * Writes a web response to a Node one, event streams included; resolves when it is written or the client went away.
 * The head leaves at once with a first comment (clients and proxies give up on a silent head after 60 s), and a client
 * that goes away cancels the stream at once, so that its reconnection does not meet the old one.
 */
export async function respond(res: ServerResponse, response: Response): Promise<void> {
  const { body } = response;
  const closed = new Promise<void>((resolve) => {
    res.once('close', resolve);
    if (res.destroyed) resolve();
  });
  res.writeHead(response.status, Object.fromEntries(response.headers));
  if (body === null) {
    res.end();
    return;
  }
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    res.flushHeaders();
    res.write(': open\n\n');
  }
  const reader = body.getReader();
  closed.then(() => reader.cancel()).catch(() => {});
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!res.write(value)) await Promise.race([closed, new Promise<void>((resolve) => res.once('drain', resolve))]);
  }
  res.end();
}
