import type { RequestHandler, Response } from 'express';
import type { Caller, KeyRing, KeyScope } from '../../ledger/index.ts';
import { ApiError } from './api-error.ts';

/** Lets only callers with a valid key in, and keeps who calls for `callerOf`. */
export function createBearerKey(keys: KeyRing): RequestHandler {
  return async (request, response, next) => {
    const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    const caller = token === undefined ? null : await keys.authenticate(token);
    if (caller === null) {
      throw new ApiError(
        401,
        'unauthorized',
        'Send a valid API key: Authorization: Bearer bk_live_… The key is missing, wrong, expired or revoked.',
        { 'WWW-Authenticate': `Bearer realm="beckon"${token === undefined ? '' : ', error="invalid_token"'}` },
      );
    }
    response.locals.caller = caller;
    next();
  };
}

/** The caller, when its key has one of the scopes. @throws ApiError 403 naming the first */
export function callerOf(response: Response, ...scopes: readonly [KeyScope, ...KeyScope[]]): Caller {
  const caller = response.locals.caller as Caller;
  if (scopes.some((scope) => caller.scopes.includes(scope))) return caller;
  throw new ApiError(
    403,
    'forbidden',
    `This key lacks the scope ${scopes[0]}. Ask the owner of the key for one with that scope; nothing was done.`,
  );
}
