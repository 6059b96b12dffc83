const nowhere = 'http://beckon.invalid';

/**
 * A path on this site from text that came with a request, or `/`. Anything that a browser could read as another site
 * (`//host`, `/\host`, `/.//host`, a tab between slashes) becomes `/`, and so do the sign-in pages themselves.
 */
export function toSameSitePath(text: unknown): string {
  if (typeof text !== 'string' || text.length > 1_000 || !text.startsWith('/')) return '/';
  if (/[\\\u0000-\u001f\u007f]/.test(text)) return '/';
  const url = URL.canParse(text, nowhere) ? new URL(text, nowhere) : null;
  if (url === null || url.origin !== nowhere) return '/';
  // The parser removes dot segments, which can leave two slashes at the front.
  if (url.pathname.startsWith('//')) return '/';
  if (/^\/sign-(in|out)(\/|$)/.test(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}
