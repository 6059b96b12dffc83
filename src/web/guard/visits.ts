import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Session, SignIns } from '../../ledger/index.ts';
import { createCheckOrigin } from './check-origin.ts';
import { cookieOf } from './cookies.ts';
import { PageError } from './page-error.ts';
import { fieldOf, readForm } from './read-form.ts';
import type { SiteCookies } from './site-cookies.ts';

/** Somebody who is signed in, at a page. */
export interface Visit {
  readonly session: Session;
  readonly cookie: string;
  readonly request: Request;
  readonly response: Response;
}

export type VisitHandler = (visit: Visit) => Promise<void>;

/** The two ways into a room: looking at it, and sending its form. */
export interface Visits {
  /** Signed-in people get the handler, everybody else is sent to sign in and comes back afterwards. */
  look(handler: VisitHandler): RequestHandler;
  /** The same for a form: from our own pages only, and with the form token of this very session. */
  send(handler: VisitHandler): readonly RequestHandler[];
  /** Who is signed in, or null. */
  find(request: Request): Promise<{ readonly session: Session; readonly cookie: string } | null>;
}

export function createVisits(deps: {
  readonly signIns: SignIns;
  readonly cookies: SiteCookies;
  readonly publicUrl: URL;
}): Visits {
  const { signIns, cookies, publicUrl } = deps;

  const find: Visits['find'] = async (request) => {
    const cookie = cookieOf(request.headers.cookie, cookies.session.name);
    const session = cookie === null || cookie === '' ? null : await signIns.session(cookie);
    return session === null || cookie === null ? null : { session, cookie };
  };

  const look: Visits['look'] = (handler) => async (request, response) => {
    const found = await find(request);
    if (found !== null) return handler({ ...found, request, response });
    // A live page that lost its session reloads, and the reload asks to sign in.
    if (request.get('HX-Request') === 'true' || request.get('Accept') === 'text/event-stream') {
      response.status(401).set('HX-Refresh', 'true').end();
      return;
    }
    response.redirect(303, `/sign-in?next=${encodeURIComponent(request.originalUrl)}`);
  };

  const send: Visits['send'] = (handler) => [
    createCheckOrigin({ publicUrl }),
    ...readForm,
    look(async (visit) => {
      if (!isSame(fieldOf(visit.request, 'form_token') ?? '', visit.session.formToken)) {
        throw new PageError(
          403,
          'This form is out of date',
          'It was not made for your present sign-in. Nothing was changed. Open the page again and repeat what you did.',
        );
      }
      await handler(visit);
    }),
  ];

  return { look, send, find };
}

/** Compares secrets in a time that tells nothing. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return b !== '' && timingSafeEqual(digest(a), digest(b));
}
