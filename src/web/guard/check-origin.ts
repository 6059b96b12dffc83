import type { Request, RequestHandler } from 'express';
import { PageError } from './page-error.ts';

/**
 * Refuses a POST that did not come from one of our own pages, by what the browser says of its origin (Fetch metadata and
 * `Origin`; a page cannot forge either). Without either header nothing is known, and that is a no.
 */
export function createCheckOrigin({ publicUrl }: { readonly publicUrl: URL }): RequestHandler {
  return (request, _response, next) => {
    if (isOurs(request, publicUrl)) return next();
    next(
      new PageError(
        403,
        'This came from another site',
        'Beckon takes answers and changes only from its own pages. Nothing was changed. Open Beckon itself and do it there.',
      ),
    );
  };
}

function isOurs(request: Request, publicUrl: URL): boolean {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return site === 'same-origin';
  if (origin === publicUrl.origin) return true;
  // Reached under another of its allowed names: `Host` has been checked against the list by then.
  return origin === `http://${host}` || origin === `https://${host}`;
}
