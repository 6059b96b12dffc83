import type { CookieShape } from './cookies.ts';

export interface SiteCookies {
  /** Who is signed in. 30 days, the longest life of a session; the session itself decides. */
  readonly session: CookieShape;
  /** Where a person wanted to go before they had to sign in. */
  readonly next: CookieShape;
  /** What the page after a redirect says once. */
  readonly notice: CookieShape;
}

/** The cookies of a site. On https they carry the `__Host-` prefix, which browsers accept only from this very host. */
export function siteCookiesOf(publicUrl: URL): SiteCookies {
  const secure = publicUrl.protocol === 'https:';
  const named = (name: string, maxAgeSeconds: number) => ({
    name: secure ? `__Host-beckon-${name}` : `beckon-${name}`,
    secure,
    path: '/',
    maxAgeSeconds,
  });
  return { session: named('session', 30 * 86_400), next: named('next', 30 * 60), notice: named('notice', 60) };
}
