import type { Page } from '../channels/page.ts';
import type { Request } from '../ledger/index.ts';

/** What a page of the request shows, as the request is now. */
export function pageOf(request: Request, token: string, publicUrl: URL): Page {
  const { outcome } = request;
  return {
    token,
    kind: request.kind,
    instanceLabel: request.instanceLabel,
    title: request.title,
    gist: request.gist,
    ...(request.dangerLevel === null ? {} : { danger: request.dangerLevel }),
    options: request.options,
    detailUrl: new URL(`/requests/${request.id}`, publicUrl).href,
    hasExtended: request.extended !== null,
    askedAt: request.createdAt,
    expiresAt: request.expiresAt,
    notes: [],
    ...(outcome === null
      ? {}
      : {
          outcome: {
            status: outcome.status,
            ...(outcome.words === null ? {} : { words: outcome.words }),
            ...(outcome.chosenOption === null ? {} : { chosenOption: outcome.chosenOption }),
            ...(outcome.by === null ? {} : { by: outcome.by }),
            ...(outcome.via === null ? {} : { via: outcome.via }),
            at: request.settledAt ?? request.createdAt,
          },
        }),
  };
}
