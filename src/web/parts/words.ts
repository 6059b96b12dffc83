import type { DangerLevel, Request, RequestKind, RequestStatus, Via } from '../../ledger/index.ts';

export const kindWords: Readonly<Record<RequestKind, string>> = {
  permission: 'Permission',
  plan_check: 'Plan check',
  steering: 'Steering',
  access: 'Access',
};

export const statusWords: Readonly<Record<RequestStatus, string>> = {
  pending: 'Pending',
  approved: 'Approved',
  denied: 'Denied',
  answered: 'Answered',
  expired: 'Expired',
  cancelled: 'Cancelled',
};

export const dangerWords: Readonly<Record<DangerLevel, string>> = {
  low: 'Low danger',
  medium: 'Medium danger',
  high: 'High danger',
};

const placeWords: Readonly<Record<Via, string>> = {
  slack: 'on Slack',
  discord: 'on Discord',
  telegram: 'on Telegram',
  dashboard: 'on the dashboard',
  api: 'through the API',
  policy: 'by policy',
  terminal: 'in the terminal',
};

export function toPlaceWords(via: Via | null): string {
  return via === null ? '' : placeWords[via];
}

/** `Approved by Ada on Slack`, `Expired: nobody answered, which counts as a no`. */
export function toOutcomeLine({ status, outcome }: Request): string {
  if (status === 'pending') return 'Waiting for an answer';
  if (status === 'expired') return 'Expired: nobody answered in time, which counts as a no';
  if (status === 'cancelled' && !outcome?.by) return 'Cancelled: the agent withdrew it';
  const who = outcome?.by ? ` by ${outcome.by}` : '';
  const where = toPlaceWords(outcome?.via ?? null);
  return `${statusWords[status]}${who}${where === '' ? '' : ` ${where}`}`;
}
