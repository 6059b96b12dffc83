import type { Request, RequestHandler } from 'express';
import type { SignIns } from '../../../ledger/index.ts';
import type { Assets } from '../../assets.ts';
import { createCheckOrigin } from '../../guard/check-origin.ts';
import { clearCookie, cookieOf, setCookie } from '../../guard/cookies.ts';
import { fieldOf, readForm } from '../../guard/read-form.ts';
import { toSameSitePath } from '../../guard/same-site-path.ts';
import type { SiteCookies } from '../../guard/site-cookies.ts';
import type { VisitHandler, Visits } from '../../guard/visits.ts';
import { sendPage } from '../../send-page.ts';
import { DeadLinkPage, SignInPage, UseLinkPage } from './sign-in-page.tsx';

export interface SignInRoom {
  readonly explain: RequestHandler;
  readonly look: RequestHandler;
  readonly use: readonly RequestHandler[];
  readonly signOut: VisitHandler;
}

export function createSignInRoom(deps: {
  readonly signIns: SignIns;
  readonly visits: Visits;
  readonly cookies: SiteCookies;
  readonly assets: Assets;
  readonly publicUrl: URL;
}): SignInRoom {
  const { signIns, visits, cookies, assets, publicUrl } = deps;
  const { urlOf } = assets;

  /** The link comes from a terminal and knows nothing of the page a person wanted: a cookie does. */
  const goesTo = (request: Request, asked: unknown) =>
    toSameSitePath(asked ?? decoded(cookieOf(request.headers.cookie, cookies.next.name)));

  return {
    async explain(request, response) {
      const next = toSameSitePath(request.query.next);
      if ((await visits.find(request)) !== null) {
        response.redirect(303, next);
        return;
      }
      if (next !== '/') response.append('Set-Cookie', setCookie(cookies.next, encodeURIComponent(next)));
      sendPage(response, 200, <SignInPage urlOf={urlOf} goesTo={next} />);
    },

    async look(request, response) {
      const token = String(request.params.token);
      if (!(await signIns.isLive(token))) {
        sendPage(response, 410, <DeadLinkPage urlOf={urlOf} />);
        return;
      }
      const next = goesTo(request, request.query.next);
      sendPage(response, 200, <UseLinkPage urlOf={urlOf} token={token} goesTo={next} />);
    },

    use: [
      createCheckOrigin({ publicUrl }),
      ...readForm,
      async (request, response) => {
        const session = await signIns.redeem(String(request.params.token));
        if (session === null) {
          sendPage(response, 410, <DeadLinkPage urlOf={urlOf} />);
          return;
        }
        response.append('Set-Cookie', setCookie(cookies.session, session.cookie));
        response.append('Set-Cookie', clearCookie(cookies.next));
        response.redirect(303, goesTo(request, fieldOf(request, 'next')));
      },
    ],

    async signOut({ cookie, response }) {
      await signIns.signOut(cookie);
      response.append('Set-Cookie', clearCookie(cookies.session));
      response.redirect(303, '/sign-in');
    },
  };
}

function decoded(value: string | null): string | null {
  try {
    return value === null ? null : decodeURIComponent(value);
  } catch {
    return null; // cut or not ours
  }
}
