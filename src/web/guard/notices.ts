import type { Request, Response } from 'express';
import { clearCookie, cookieOf, setCookie } from './cookies.ts';
import type { SiteCookies } from './site-cookies.ts';

/** One sentence that the next page shows once: what became of a form. Travels in a cookie, which no other site can set or read. */
export interface Notice {
  readonly tone: 'good' | 'plain' | 'bad';
  readonly text: string;
}

export interface Notices {
  leave(response: Response, notice: Notice): void;
  /** Takes the notice away; null when there is none. */
  take(request: Request, response: Response): Notice | null;
}

export function createNotices({ cookies }: { readonly cookies: SiteCookies }): Notices {
  return {
    leave(response, notice) {
      const value = Buffer.from(JSON.stringify([notice.tone, notice.text.slice(0, 1_000)])).toString('base64url');
      response.append('Set-Cookie', setCookie(cookies.notice, value));
    },
    take(request, response) {
      const value = cookieOf(request.headers.cookie, cookies.notice.name);
      if (value === null) return null;
      response.append('Set-Cookie', clearCookie(cookies.notice));
      return parseNotice(value);
    },
  };
}

function parseNotice(value: string): Notice | null {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(value, 'base64url').toString('utf8'));
    if (!Array.isArray(parsed) || typeof parsed[1] !== 'string') return null;
    const tone = (['good', 'plain', 'bad'] as const).find((known) => known === parsed[0]);
    return tone === undefined ? null : { tone, text: parsed[1] };
  } catch {
    return null; // not ours, or cut: nothing to say
  }
}
