import { type RequestHandler, Router } from 'express';
import { refusal, refuse } from './http-errors.ts';

/** Where OAuth clients look for metadata. An answer there makes some clients drop the API key they were given. */
const oauthPaths = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/openid-configuration',
];

/** The endpoint as an Express router. Mount it before any body parser and any fallback page. */
export function createMcpRouter(handle: RequestHandler): Router {
  const router = Router({ strict: true, caseSensitive: true });
  // 307 keeps method and body.
  router.all('/mcp', (req, res) => {
    const query = req.url.indexOf('?');
    res.redirect(307, `/mcp/${query === -1 ? '' : req.url.slice(query)}`);
  });
  router.all('/mcp/', handle);
  for (const path of oauthPaths) {
    router.all([path, `${path}/*rest`, `/mcp${path}`], (_req, res) => {
      refuse(res, refusal(404, 'This server has no OAuth. Send an API key as "Authorization: Bearer bk_live_…".'));
    });
  }
  return router;
}
