import { placeOf, type Request } from '../ledger/index.ts';

/** Tells somebody whose answer came second who won, where and when. `account` is theirs. */
export function lateText(request: Request, account: string): string {
  const { outcome, settledAt } = request;
  if (outcome === null || settledAt === null) {
    return `Too late: this expired at ${clockTime(request.expiresAt)} and was counted as a no.`;
  }
  const at = clockTime(settledAt);
  const place = outcome.via === null ? '' : ` ${placeOf(outcome.via)}`;
  if (outcome.account === account) return `You have already answered this: ${verb(request)} at ${at}.`;
  switch (outcome.status) {
    case 'expired':
      return `Too late: this expired at ${at} and was counted as a no.`;
    case 'cancelled':
      return `Too late: this was withdrawn at ${at}. Nothing was decided.`;
    default:
      return `Too late: ${outcome.by ?? 'somebody'} ${verb(request)} this${place} at ${at}.`;
  }
}

function verb(request: Request): string {
  return request.status === 'answered' ? 'answered' : request.status;
}

/** `14:02 UTC`: chats are read in many time zones. */
function clockTime(at: Date): string {
  return `${at.toISOString().slice(11, 16)} UTC`;
}
