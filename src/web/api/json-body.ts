import express, { type RequestHandler } from 'express';
import { ApiError } from './api-error.ts';

/** The largest body, in bytes: a hundred times the largest request. */
const mostBytes = 1_000_000;

/** Parses a body of JSON in UTF-8, and refuses every other. None is as good as `{}` where nothing is required. */
export function jsonBody(): RequestHandler[] {
  return [requireJson, express.json({ limit: mostBytes, verify: requireUtf8 })];
}

const requireJson: RequestHandler = (request, _response, next) => {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  const isJson = request.is('application/json') !== false;
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1];
  if (length !== '0' && (!isJson || (charset ?? 'utf-8').toLowerCase() !== 'utf-8')) {
    throw new ApiError(415, 'unsupported_media_type', 'Send JSON in UTF-8, with Content-Type: application/json.');
  }
  next();
};

/** The parser would put U+FFFD for what is no UTF-8: people would then decide about other words than were asked. */
function requireUtf8(_request: unknown, _response: unknown, bytes: Buffer): void {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError(400, 'invalid_payload', 'The body is not valid UTF-8. Send JSON in UTF-8.');
  }
}
