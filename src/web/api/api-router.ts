import { type RequestHandler, Router } from 'express';
import { v7 as uuidv7 } from 'uuid';
import type { Desk, KeyRing } from '../../ledger/index.ts';
import { ApiError, type ApiLog, createErrorAnswer } from './api-error.ts';
import { parseAskBody, parseCancelBody, parseSyncBody } from './ask-body.ts';
import { callerOf, createBearerKey } from './bearer-key.ts';
import { checkHandOver, createHandOver } from './hand-over.ts';
import { jsonBody } from './json-body.ts';
import { idOf } from './request-id.ts';
import { toRequestJson } from './request-json.ts';
import { createWait } from './wait.ts';

export interface ApiDeps {
  readonly desk: Desk;
  readonly keys: KeyRing;
  readonly clock: { now(): Date };
  readonly log: ApiLog;
  /** Makes the id of a request that came without one; UUIDv7 when absent. */
  readonly newId?: () => string;
}

/** The REST API, to be mounted under `/api/v1`. It has its own body parser, keys and errors. */
export function createApiRouter(deps: ApiDeps): Router {
  const { desk, keys, log, newId = uuidv7 } = deps;
  const router = Router({ caseSensitive: true });
  const body = jsonBody();
  const sendHandingOver = createHandOver({ desk, log });

  router.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  router.use(createBearerKey(keys));

  route(router, '/requests', {
    POST: [
      ...body,
      async (request, response) => {
        const caller = callerOf(response, 'request_decisions');
        checkHandOver(request.query);
        const { id, ask, instance, ttlSeconds } = parseAskBody(request.body);
        const ttl = ttlSeconds === null ? {} : { ttlSeconds };
        const receipt = await desk.ask({ id: id ?? newId(), ask, instance, caller, ...ttl });
        response.status(receipt.joined === 'new' ? 201 : 200);
        const { joined } = receipt;
        sendHandingOver({ request, response }, caller, receipt.request, {
          request: toRequestJson(receipt.request),
          joined,
        });
      },
    ],
  });
  route(router, '/requests/:id', {
    GET: [
      async (request, response) => {
        const caller = callerOf(response, 'view_requests', 'request_decisions');
        checkHandOver(request.query);
        const found = await desk.find(idOf(request), caller);
        sendHandingOver({ request, response }, caller, found, { request: toRequestJson(found) });
      },
    ],
  });
  route(router, '/requests/:id/wait', { GET: [createWait({ desk, sendHandingOver })] });
  route(router, '/requests/:id/progress', {
    GET: [
      async (request, response) => {
        const caller = callerOf(response, 'view_requests', 'request_decisions');
        response.json({ progress: await desk.progressOf(idOf(request), caller) });
      },
    ],
  });
  route(router, '/requests/:id/cancel', {
    POST: [
      ...body,
      async (request, response) => {
        const caller = callerOf(response, 'request_decisions');
        const { reason, ...options } = parseCancelBody(request.body);
        response.json({ request: toRequestJson(await desk.cancel(idOf(request), caller, reason, options)) });
      },
    ],
  });
  route(router, '/requests/:id/delivered', {
    POST: [
      ...body,
      async (request, response) => {
        const caller = callerOf(response, 'request_decisions');
        await desk.markDelivered(idOf(request), caller);
        response.json({ request: toRequestJson(await desk.find(idOf(request), caller)) });
      },
    ],
  });
  route(router, '/sync', {
    POST: [
      ...body,
      async (request, response) => {
        const caller = callerOf(response, 'request_decisions');
        const { instance, known } = parseSyncBody(request.body);
        const report = await desk.sync(instance, caller, known);
        response.json({ instance: report.instance, requests: report.requests.map(toRequestJson) });
      },
    ],
  });

  router.use((request) => {
    throw new ApiError(
      404,
      'not_found',
      `The API has no ${request.path.slice(0, 200)}. docs/rest.md lists what it has.`,
    );
  });
  router.use(createErrorAnswer(log));
  return router;
}

/** Routes the methods that there are and answers 405 with `Allow` to the others. */
function route(router: Router, path: string, methods: { GET?: RequestHandler[]; POST?: RequestHandler[] }): void {
  const at = router.route(path);
  if (methods.GET) at.get(...methods.GET);
  if (methods.POST) at.post(...methods.POST);
  const allowed = [...Object.keys(methods), ...(methods.GET ? ['HEAD'] : [])].join(', ');
  at.all((request) => {
    const message = `${request.method} is not possible here; allowed: ${allowed}.`;
    throw new ApiError(405, 'method_not_allowed', message, { Allow: allowed });
  });
}
