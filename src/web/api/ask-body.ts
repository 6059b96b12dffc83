import { z } from 'zod';
import {
  type Ask,
  type AskingKind,
  askSchemas,
  faultOfWords,
  type Instance,
  InvalidPayload,
  parseAsk,
  parsePayload,
} from '../../ledger/index.ts';
import { isRequestId } from './request-id.ts';

/** What `POST /requests` takes besides the arguments of the asking tools. */
export interface AskBody {
  readonly id: string | null;
  readonly ask: Ask;
  readonly instance: Instance;
  readonly ttlSeconds: number | null;
}

const kinds = Object.keys(askSchemas);
const aWeek = 604_800;
const ttlFault = `must be a whole number of seconds from 1 to ${aWeek} (a week)`;

const idSchema = z.string().refine(isRequestId, { error: 'must be a UUID (version 7 is best)' });

const instanceSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[\w.:-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, dots, colons, dashes or underscores' }),
  label: z.string().superRefine((label, ctx) => {
    const fault = faultOfLabel(label);
    if (fault !== null) ctx.addIssue({ code: 'custom', message: fault });
  }),
});

const envelopeSchema = z.strictObject({
  id: idSchema.optional(),
  kind: z.enum(kinds as [AskingKind, ...AskingKind[]]),
  instance: instanceSchema,
  ttl_seconds: z.custom<number>(isLife, { error: ttlFault }).optional(),
});

const syncSchema = z.strictObject({
  instance: instanceSchema,
  known: z.array(idSchema).max(200, { error: 'at most 200 ids' }).optional(),
});

const cancelSchema = z.strictObject({
  reason: z
    .string()
    .superRefine((reason, ctx) => {
      const fault = reason === '' ? null : faultOfWords(reason);
      if (fault !== null) ctx.addIssue({ code: 'custom', message: fault });
    })
    .optional(),
  unless_awaited: z.literal(true).optional(),
});

function isLife(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= aWeek;
}

/** @throws InvalidPayload with the faults of both parts at once */
export function parseAskBody(raw: unknown): AskBody {
  const body = objectOf(raw);
  const { id, kind, instance, ttl_seconds, ...args } = body;
  const isKind = typeof kind === 'string' && kinds.includes(kind);
  const faults: string[] = [];
  const envelope = collect(faults, () =>
    parsePayload<z.infer<typeof envelopeSchema>>(envelopeSchema, withoutAbsent({ id, kind, instance, ttl_seconds })),
  );
  const ask = isKind ? collect(faults, () => parseAsk(kind as AskingKind, args)) : null;
  if (envelope === null || ask === null) throw new InvalidPayload(faults);
  return {
    id: envelope.id?.toLowerCase() ?? null,
    ask,
    instance: envelope.instance,
    ttlSeconds: envelope.ttl_seconds ?? null,
  };
}

/** @throws InvalidPayload */
export function parseSyncBody(raw: unknown): { readonly instance: Instance; readonly known: readonly string[] } {
  const { instance, known } = parsePayload<z.infer<typeof syncSchema>>(syncSchema, objectOf(raw));
  return { instance, known: known ?? [] };
}

/** A withdrawal: `reason` is empty when none was given; a body without one, or none, is fine. @throws InvalidPayload */
export function parseCancelBody(raw: unknown): { readonly reason: string; readonly unlessAwaited?: true } {
  const body = parsePayload<z.infer<typeof cancelSchema>>(cancelSchema, raw === undefined ? {} : objectOf(raw));
  return { reason: body.reason ?? '', ...(body.unless_awaited ? { unlessAwaited: true } : {}) };
}

function objectOf(raw: unknown): Record<string, unknown> {
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return raw as Record<string, unknown>;
  throw new InvalidPayload(['the body: must be a JSON object']);
}

/** A key with the value `undefined` is not the same as no key in a closed schema's message. */
function withoutAbsent(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function collect<T>(faults: string[], parse: () => T): T | null {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof InvalidPayload)) throw error;
    faults.push(...error.faults);
    return null;
  }
}

function faultOfLabel(label: string): string | null {
  const length = [...label].length;
  if (length > 100) return `is ${length} characters long; at most 100 characters`;
  if (label.trim() === '') return 'is empty; name the agent that asks, for example "shop · main"';
  if (!label.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(label))
    return 'must be one line without control characters';
  return null;
}
