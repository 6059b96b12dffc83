import type { IncomingMessage } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { type Refusal, refusal, rpcCodes } from './http-errors.ts';

/** The largest body: over a hundred times the largest request the caps allow. */
export const bodyLimit = 1_048_576;
type Body = { readonly body: unknown } | { readonly refused: Refusal };

/** The JSON body of a POST, from whoever parsed it before (`req.body`) or from the wire. */
export async function readJsonBody(req: IncomingMessage & { readonly body?: unknown }): Promise<Body> {
  const type = req.headers['content-type'];
  if (!isJsonContentType(type)) {
    const sent = type === undefined ? 'none' : JSON.stringify(type);
    return { refused: refusal(415, `Send the message as Content-Type: application/json, not ${sent}.`) };
  }
  if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') {
    return { refused: refusal(415, 'Send the message uncompressed, without Content-Encoding.') };
  }
  if (req.body !== undefined) return checked(req.body);
  const bytes = await readBytes(req);
  return bytes === null ? { refused: tooLarge } : parse(bytes);
}

const tooLarge = refusal(
  413,
  `The message is larger than ${bodyLimit.toLocaleString('en')} bytes. Put what people need into gist and at most 5,000 characters into extended.`,
);

/**
 * Null when there are too many. Whatever is left unread flows away unseen (the connection stays open for it), so that the
 * sender of a large body gets to see the refusal instead of a broken pipe; Node's `requestTimeout` bounds it.
 */
async function readBytes(req: IncomingMessage): Promise<Buffer | null> {
  if (Number(req.headers['content-length'] ?? 0) > bodyLimit) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  const isWhole = await new Promise<boolean>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bodyLimit) chunks.push(chunk);
      else {
        req.off('data', onData);
        req.resume();
        resolve(false);
      }
    };
    req.on('data', onData);
    req.once('end', () => resolve(true));
    req.once('error', reject);
    req.once('close', () => reject(new Error('the client went away while it sent')));
  });
  return isWhole ? Buffer.concat(chunks) : null;
}

function parse(bytes: Buffer): Body {
  try {
    return checked(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    const what = bytes.length === 0 ? 'The body is empty' : 'The body is not valid JSON in UTF-8';
    return { refused: refusal(400, `${what}. Send one JSON-RPC 2.0 message.`, rpcCodes.parse) };
  }
}

function checked(body: unknown): Body {
  const isMessage = typeof body === 'object' && body !== null && (!Array.isArray(body) || body.length > 0);
  if (isMessage) return { body };
  return { refused: refusal(400, 'The body is JSON but no JSON-RPC 2.0 message.', rpcCodes.invalidRequest) };
}
