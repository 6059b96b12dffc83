import { z } from 'zod';
import type { AskReceipt, Request } from '../ledger/index.ts';

/** The REST API's JSON, as far as an agent needs it; what a newer server adds is passed over. */
const date = z.string().transform((text, ctx) => {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) ctx.addIssue({ code: 'custom', message: 'is not a date' });
  return at;
});

const option = z.object({ label: z.string(), recommended: z.boolean() });
const settled = z.enum(['approved', 'denied', 'answered', 'expired', 'cancelled']);

const requestSchema = z.object({
  id: z.string(),
  digest: z.string(),
  kind: z.enum(['permission', 'plan_check', 'steering', 'access']),
  title: z.string(),
  gist: z.string(),
  extended: z.string().nullable(),
  dangerLevel: z.enum(['low', 'medium', 'high']).nullable(),
  options: z.array(option),
  status: z.union([settled, z.literal('pending')]),
  revision: z.int(),
  instanceId: z.string(),
  instanceLabel: z.string(),
  keyId: z.string(),
  createdAt: date,
  expiresAt: date,
  settledAt: date.nullable(),
  deliveredAt: date.nullable(),
  outcome: z
    .object({
      status: settled,
      words: z.string().nullable(),
      chosenOption: z.object({ label: z.string(), index: z.int() }).nullable(),
      via: z.enum(['slack', 'discord', 'telegram', 'dashboard', 'api', 'policy', 'terminal']).nullable(),
      by: z.string().nullable(),
      account: z.string().nullable(),
    })
    .nullable(),
});

export const requestAnswer = z.object({ request: requestSchema }).transform(({ request }): Request => request);

export const receiptAnswer = z
  .object({ request: requestSchema, joined: z.enum(['new', 'same_id', 'same_digest', 'kept_answer']) })
  .transform((receipt): AskReceipt => receipt);

export const syncAnswer = z.object({
  instance: z.object({ id: z.string(), label: z.string() }),
  requests: z.array(requestSchema),
});

export const progressAnswer = z.object({ progress: z.string() }).transform(({ progress }) => progress);

export const errorAnswer = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
