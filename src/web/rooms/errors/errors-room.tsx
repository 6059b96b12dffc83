import { randomBytes } from 'node:crypto';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Assets } from '../../assets.ts';
import { PageError } from '../../guard/page-error.ts';
import { sendPage } from '../../send-page.ts';
import type { WebLog } from '../../web-deps.ts';
import { ErrorPage, type Fault } from './error-page.tsx';

/** An address that nothing answers to. */
export const notFound: RequestHandler = () => {
  throw new PageError(404, 'There is no such page', 'The address may be cut or misspelt.');
};

/** A known address, used in a way it does not take. */
export function notAllowed(allowed: string): RequestHandler {
  return (request, response) => {
    response.set('Allow', allowed);
    throw new PageError(
      405,
      'Not possible here',
      `This address takes ${allowed}, not ${request.method}. Nothing was changed.`,
    );
  };
}

/** Every fault as a page that says what to do. The cause goes to the log, with an id; paths do not: they may hold a sign-in link. */
export function createErrorHandler(deps: { readonly assets: Assets; readonly log: WebLog }): ErrorRequestHandler {
  const { assets, log } = deps;
  return (error: unknown, request, response, next) => {
    const fault = toFault(error);
    if (fault.id !== undefined) {
      log.error({ err: error, errorId: fault.id, method: request.method }, 'a page could not be made');
    }
    if (response.headersSent) return next(error);
    if (request.get('HX-Request') === 'true') {
      response.status(fault.status).end();
      return;
    }
    if (/^\/(api|mcp)(\/|$)/.test(request.path)) {
      response.status(fault.status).json({ error: { code: codeOf(fault), message: fault.message } });
      return;
    }
    sendPage(response, fault.status, <ErrorPage fault={fault} urlOf={assets.urlOf} />);
  };
}

function toFault(error: unknown): Fault {
  if (error instanceof PageError) return { status: error.status, headline: error.headline, message: error.message };
  switch (statusOf(error)) {
    case 413:
      return {
        status: 413,
        headline: 'That is too much',
        message:
          'Beckon takes up to 2,000 characters of text. Nothing was decided. Go back, shorten it and send it again.',
      };
    case 400:
      return {
        status: 400,
        headline: 'This could not be read',
        message:
          'The address or the form is damaged. Nothing was changed. Open the page again and repeat what you did.',
      };
    case 404:
      return { status: 404, headline: 'There is no such page', message: 'The address may be cut or misspelt.' };
    case 415:
      return {
        status: 415,
        headline: 'This could not be read',
        message: 'The form came in an unknown encoding. Nothing was changed.',
      };
    default:
      return {
        status: 500,
        headline: 'Something went wrong in Beckon',
        message:
          'Beckon could not do this. Look at the request before you try again: it shows what was recorded. If it stays like this, tell the owner the id below.',
        id: randomBytes(6).toString('hex'),
      };
  }
}

/** Programs read a code: `wrong_address`, `internal`. */
function codeOf({ status }: Fault): string {
  return status === 421 ? 'wrong_address' : status >= 500 ? 'internal' : 'refused';
}

/** Express and its parsers mark what is the sender's fault with a status. */
function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('status' in error)) return null;
  return typeof error.status === 'number' ? error.status : null;
}
