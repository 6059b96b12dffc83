import type { RequestHandler } from 'express';

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Lets in only what this machine's browser asks on the page's own behalf: a loopback name in `Host` (no rebinding of a foreign
 * name), and for anything that acts an `Origin` or Fetch metadata of the page itself.
 */
export const ownSiteOnly: RequestHandler = (request, response, next) => {
  const { host = '', origin } = request.headers;
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  if (!loopback.has(name)) {
    response.status(421).type('text').send('The demo answers only to 127.0.0.1 and localhost.\n');
    return;
  }
  const site = request.headers['sec-fetch-site'];
  const fromPage = origin === undefined ? site === 'same-origin' : origin === `http://${host}`;
  if (request.method !== 'GET' && request.method !== 'HEAD' && !fromPage) {
    response.status(403).type('text').send('This came from another site. Nothing was done.\n');
    return;
  }
  next();
};

/** @param dashboard where the button to the dashboard leads: browsers hold a form's redirect to `form-action` too */
export function pageHeaders(dashboard: URL): RequestHandler {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `form-action 'self' ${dashboard.origin}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
  return (_request, response, next) => {
    response.set({
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    });
    next();
  };
}
