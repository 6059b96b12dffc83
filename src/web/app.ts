import express, { type Express, type RequestHandler } from 'express';
import { createAssets } from './assets.ts';
import { createCheckHost } from './guard/check-host.ts';
import { createNotices } from './guard/notices.ts';
import { createSecurityHeaders } from './guard/security-headers.ts';
import { siteCookiesOf } from './guard/site-cookies.ts';
import { createVisits } from './guard/visits.ts';
import { createHealthz, createReadyz } from './health.ts';
import { createLive } from './live.ts';
import { createChannelsRoom } from './rooms/channels/channels-room.tsx';
import { createErrorHandler, notAllowed, notFound } from './rooms/errors/errors-room.tsx';
import { createReadFrameFacts } from './rooms/frame-facts.ts';
import { createRequestsRoom } from './rooms/requests/requests-room.tsx';
import { createSettingsRoom } from './rooms/settings/settings-room.tsx';
import { createSignInRoom } from './rooms/sign-in/sign-in-room.tsx';
import type { WebDeps } from './web-deps.ts';

export type { Health, WebDeps, WebLog } from './web-deps.ts';

/**
 * Everything the server answers over HTTP. Opening an address never decides anything: only a POST from one of our own pages does.
 * Live pages hold their connection open; whoever stops the server closes its connections.
 */
export function createWebApp(deps: WebDeps): Express {
  const { board, signIns, publicUrl } = deps;
  const assets = createAssets();
  const cookies = siteCookiesOf(publicUrl);
  const visits = createVisits({ signIns, cookies, publicUrl });
  const notices = createNotices({ cookies });
  const readFrameFacts = createReadFrameFacts({ board, assets, clock: deps.clock });
  const requests = createRequestsRoom({ board, readFrameFacts, notices });
  const channels = createChannelsRoom({ board, readFrameFacts });
  const settings = createSettingsRoom({ board, readFrameFacts, notices });
  const signIn = createSignInRoom({ signIns, visits, cookies, assets, publicUrl });

  const app = express();
  app.disable('x-powered-by');
  // Express's last resort for an error would print its stack to the visitor.
  app.set('env', 'production');
  app.disable('etag');
  app.use(createSecurityHeaders({ publicUrl }));

  // Probes come by address, not by name: they are answered before the host is checked, and tell nothing private.
  app.get('/healthz', createHealthz(deps.health));
  app.get('/readyz', createReadyz(deps.health));

  app.use(createCheckHost(deps));
  app.use(whereMcp(deps.mcp));
  app.use('/api/v1', deps.api);
  app.use(assets.mount, assets.serve);

  app.route('/').get(visits.look(requests.list)).all(notAllowed('GET'));
  app
    .route('/requests/:id')
    .get(visits.look(requests.request))
    .post(...visits.send(requests.answer))
    .all(notAllowed('GET, POST'));
  app.route('/channels').get(visits.look(channels.page)).all(notAllowed('GET'));
  app
    .route('/settings')
    .get(visits.look(settings.page))
    .post(...visits.send(settings.change))
    .all(notAllowed('GET, POST'));

  app.get('/live', visits.look(createLive({ board, visits })));
  app.get('/parts/requests', visits.look(requests.listParts));
  app.get('/parts/requests/:id', visits.look(requests.requestParts));
  app.get('/parts/channels', visits.look(channels.parts));
  app.get('/parts/settings', visits.look(settings.parts));

  app.route('/sign-in').get(signIn.explain).all(notAllowed('GET'));
  app
    .route('/sign-in/:token')
    .get(signIn.look)
    .post(...signIn.use)
    .all(notAllowed('GET, POST'));
  app
    .route('/sign-out')
    .post(...visits.send(signIn.signOut))
    .all(notAllowed('POST'));

  app.use(notFound);
  app.use(createErrorHandler({ assets, log: deps.log }));
  return app;
}

/** Hands MCP its addresses with the path whole and the body unread. */
function whereMcp(mcp: RequestHandler): RequestHandler {
  return (request, response, next) =>
    /^\/mcp(\/|$)|^\/\.well-known\/(oauth-|openid-configuration)/.test(request.path)
      ? mcp(request, response, next)
      : next();
}
