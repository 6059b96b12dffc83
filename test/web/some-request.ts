import type { Request, RequestDetail } from '../../src/ledger/index.ts';

export const requestId = '01939f00-0000-7000-8000-000000000001';

/** A pending permission, with whatever the test cares about. */
export function someDetail(request: Partial<Request> = {}, rest: Partial<RequestDetail> = {}): RequestDetail {
  const createdAt = request.createdAt ?? new Date(Date.now() - 120_000);
  return {
    request: {
      id: requestId,
      digest: '0'.repeat(64),
      kind: 'permission',
      title: 'Deploy api v2 to production',
      gist: 'Rolls out 14 commits.\nRollback takes two minutes.',
      extended: null,
      dangerLevel: null,
      options: [],
      status: 'pending',
      revision: 1,
      instanceId: 'instance-1',
      instanceLabel: 'shop · main',
      keyId: 'key-1',
      createdAt,
      expiresAt: new Date(createdAt.getTime() + 6 * 3_600_000),
      settledAt: null,
      outcome: null,
      deliveredAt: null,
      ...request,
    },
    pages: [],
    entries: [],
    ...rest,
  };
}
