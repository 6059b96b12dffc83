import type { RequestHandler } from 'express';
import type { Health } from './web-deps.ts';

/** The process runs. Answers at once, asks nobody. */
export function createHealthz({ version }: Health): RequestHandler {
  return (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ name: 'beckon', status: 'ok', version });
  };
}

/** 200 when the server can do its work, else 503, with one word or sentence a check. */
export function createReadyz(health: Health): RequestHandler {
  return async (_request, response) => {
    const { ok, checks } = await health
      .isReady()
      .catch(() => ({ ok: false, checks: { readiness: 'the check itself failed; see the log' } }));
    const { version, instanceId } = health;
    response
      .status(ok ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ name: 'beckon', status: ok ? 'ready' : 'not ready', version, instanceId, checks });
  };
}
