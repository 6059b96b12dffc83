import type { RequestHandler } from 'express';
import { PageError } from './page-error.ts';

/**
 * Refuses requests for a host name that is not ours, so that a foreign site cannot reach the server by pointing its own
 * name at it (DNS rebinding). Covers pages, REST and MCP alike.
 */
export function createCheckHost(deps: {
  readonly publicUrl: URL;
  readonly allowedHosts: readonly string[];
}): RequestHandler {
  const allowed = new Set([deps.publicUrl.hostname, ...deps.allowedHosts].map((name) => toHostName(name) ?? name));
  return (request, _response, next) => {
    const name = toHostName(request.headers.host ?? '');
    if (name !== null && allowed.has(name)) return next();
    next(
      new PageError(
        421,
        'Wrong address',
        `Beckon does not answer to this host name. Open ${deps.publicUrl.origin} instead, or have the owner add the name to BECKON_ALLOWED_HOSTS.`,
      ),
    );
  };
}

/** `[::1]:4747` → `[::1]`; lower case, no port; null for anything that is not just a host. */
function toHostName(host: string): string | null {
  if (!/^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+|[0-9a-fA-F:]*::[0-9a-fA-F:]*)(:\d{1,5})?$/.test(host)) return null;
  const bare = host.includes('::') && !host.startsWith('[') ? `[${host}]` : host;
  return URL.canParse(`http://${bare}`) ? new URL(`http://${bare}`).hostname : null;
}
