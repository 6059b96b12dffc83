import type { RequestHandler } from 'express';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * Headers of every answer; MCP and REST may set their own instead. `Referrer-Policy` is `same-origin` and not `no-referrer`: with the latter
 * browsers send `Origin: null` with our own forms (Fetch standard, "append a request Origin header") and the check of it would fail.
 */
export function createSecurityHeaders({ publicUrl }: { readonly publicUrl: URL }): RequestHandler {
  const headers = new Map([
    ['Content-Security-Policy', policy],
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
    ['Referrer-Policy', 'same-origin'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()'],
    ['Cache-Control', 'no-store'],
  ]);
  if (publicUrl.protocol === 'https:') headers.set('Strict-Transport-Security', 'max-age=31536000');
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
}
