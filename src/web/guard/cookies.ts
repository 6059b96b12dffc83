/** The value of a cookie in a `Cookie` header; null when it is not there. The first of several counts (RFC 6265, 5.4: the most specific path). */
export function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}

export interface CookieShape {
  readonly name: string;
  readonly secure: boolean;
  readonly path: string;
  readonly maxAgeSeconds: number;
}

/**
 * A `Set-Cookie` value, always HttpOnly. SameSite is Lax and not Strict: with Strict a request opened from a link in a chat
 * would arrive without its session and look signed out. Lax never sends it with a POST from another site.
 */
export function setCookie(shape: CookieShape, value: string): string {
  const parts = [
    `${shape.name}=${value}`,
    `Path=${shape.path}`,
    `Max-Age=${shape.maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
  ];
  return (shape.secure ? [...parts, 'Secure'] : parts).join('; ');
}

export function clearCookie(shape: CookieShape): string {
  return setCookie({ ...shape, maxAgeSeconds: 0 }, '');
}
