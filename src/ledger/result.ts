import { z } from 'zod';
import type { Request, Via } from './request.ts';

/** What an agent gets, on every transport. The design fixes the fields. */
export const resultSchema = z.strictObject({
  requestId: z.string(),
  status: z.enum(['approved', 'denied', 'answered', 'expired', 'cancelled', 'pending']),
  decision: z.enum(['approved', 'denied']).optional(),
  answer: z.string().optional(),
  chosenOption: z.strictObject({ label: z.string(), index: z.number().int() }).optional(),
  resolvedVia: z.enum(['slack', 'discord', 'telegram', 'dashboard', 'api', 'policy', 'terminal']).optional(),
  resolvedBy: z.string().optional(),
  expired: z.boolean(),
  deniedByTimeout: z.boolean(),
});

export type RequestResult = z.infer<typeof resultSchema>;

export const timeoutAnswer = 'Denied by timeout';

/**
 * The result of a request as it is now. `decision` is about permissions and plans: a timeout denies those, and decides nothing
 * about a question. `answer` holds what a person wrote, never the reason of a withdrawal.
 */
export function toResult(request: Request): RequestResult {
  const { outcome } = request;
  const expired = request.status === 'expired';
  const decision = decisionOf(request);
  const words = request.status === 'cancelled' ? undefined : (outcome?.words ?? undefined);
  const answer = expired ? timeoutAnswer : words;
  return {
    requestId: request.id,
    status: request.status,
    ...(decision === undefined ? {} : { decision }),
    ...(answer === undefined ? {} : { answer }),
    ...(outcome?.chosenOption ? { chosenOption: { ...outcome.chosenOption } } : {}),
    ...(outcome?.via ? { resolvedVia: outcome.via } : {}),
    ...(outcome?.by ? { resolvedBy: outcome.by } : {}),
    expired,
    deniedByTimeout: expired,
  };
}

/**
 * The text twin of a result: what it means and what to do, for a model. Holds only our own sentences and the words of others,
 * marked as such. Says when it was decided: an answer may be handed over long after it was given.
 */
export function toResultText(request: Request): string {
  const { outcome, settledAt } = request;
  const who = outcome?.by ? `${outcome.by}${outcome.via ? ` ${placeOf(outcome.via)}` : ''}` : 'nobody';
  const when = settledAt === null ? '' : ` at ${minuteOf(settledAt)}`;
  const words = outcome?.words ? ` They wrote: ${JSON.stringify(outcome.words)}` : '';
  const reason = outcome?.words ? ` Reason: ${JSON.stringify(outcome.words)}.` : '';
  switch (request.status) {
    case 'approved':
      return `Approved by ${who}${when}.${words} Go ahead with exactly what you asked for.`;
    case 'denied':
      return `Denied by ${who}${when}.${words} Do not do it, and do not ask the same again; change course or stop.`;
    case 'answered':
      return outcome?.chosenOption
        ? `${who} chose option ${outcome.chosenOption.index + 1}${when}: ${JSON.stringify(outcome.chosenOption.label)}.${words}`
        : `Answered by ${who}${when}.${words}`;
    case 'expired':
      if (request.kind === 'steering') {
        return 'Denied by timeout: nobody answered in time, and nobody made a choice. Do not repeat the call in a loop; go on only where no choice is needed, or stop and say what you are waiting for.';
      }
      return `Denied by timeout: nobody answered in time. This is a definitive no that no person spoke. Do not do it, and do not repeat the call in a loop; go on without it or stop and say what you are waiting for.`;
    case 'cancelled':
      return `Cancelled: the request was withdrawn before anybody answered.${reason} Nothing was approved.`;
    case 'pending':
      return `Still pending: people were paged and nobody has answered yet. Nothing is approved. The request stays open until ${request.expiresAt.toISOString()}; call sync later to get the answer, or make the same call again to go on waiting (nobody is paged twice).`;
  }
}

/** `2026-12-01 10:02 UTC`. */
function minuteOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** "on Slack": where an answer came from, for a sentence. */
export function placeOf(via: Via): string {
  return places[via];
}

const places: Record<Via, string> = {
  slack: 'on Slack',
  discord: 'on Discord',
  telegram: 'on Telegram',
  dashboard: 'on the dashboard',
  api: 'through the API',
  policy: 'under a policy',
  terminal: 'in the terminal',
};

function decisionOf(request: Request): RequestResult['decision'] {
  if (request.status === 'approved') return 'approved';
  if (request.status === 'denied') return 'denied';
  if (request.status === 'expired' && request.kind !== 'steering') return 'denied';
  return undefined;
}
