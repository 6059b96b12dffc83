import { z } from 'zod';
import type { Ask, RequestKind } from './request.ts';

/** Caps of an ask, in Unicode code points. The design fixes them. */
export const caps = { title: 200, gist: 1_500, extended: 5_000, label: 200, options: 4, words: 2_000 } as const;

/** Arguments that do not fit. `faults` has one `name: what is wrong` a fault; `message` is the line an agent gets. */
export class InvalidPayload extends Error {
  readonly code = 'invalid_payload';
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`[invalid_payload] ${faults.join('; ')}`);
    this.name = 'InvalidPayload';
    this.faults = faults;
  }
}

const label = text(caps.label, { lines: false }).describe('What this choice means, in full, up to 200 characters.');

const shared = {
  title: text(caps.title, { lines: false }).describe('One line that says what is asked, up to 200 characters.'),
  gist: text(caps.gist, { lines: true }).describe(
    'What a person needs to decide on a phone: what happens, why, what could go wrong. Up to 1,500 characters.',
  ),
  extended: text(caps.extended, { lines: true })
    .optional()
    .describe('Detail for the dashboard: the diff, the command, the plan. Up to 5,000 characters.'),
};

/** The closed argument schemas of the asking tools, by kind. Also what `tools/list` shows. */
export const askSchemas = {
  permission: z.strictObject({
    ...shared,
    danger_level: z.enum(['low', 'medium', 'high']).optional().describe('How bad it would be to get this wrong.'),
  }),
  plan_check: z.strictObject(shared),
  steering: z.strictObject({
    ...shared,
    options: z
      .array(
        z.strictObject({
          label,
          recommended: z.literal(true).optional().describe('Your own recommendation; at most one option.'),
        }),
      )
      .max(caps.options, { error: 'at most 4 options' })
      .optional()
      .describe('Up to 4 choices. The person can always write something else.'),
  }),
} as const;

export type AskingKind = keyof typeof askSchemas;

/**
 * Checks what an agent sent as an ask of one kind.
 * @throws InvalidPayload naming every fault with its path
 */
export function parseAsk(kind: AskingKind, raw: unknown): Ask {
  const parsed = parsePayload<Record<string, unknown>>(askSchemas[kind], raw);
  const value = parsed as {
    title: string;
    gist: string;
    extended?: string;
    danger_level?: Ask['dangerLevel'];
    options?: { label: string; recommended?: true }[];
  };
  const options = (value.options ?? []).map((option) => ({
    label: option.label,
    recommended: option.recommended ?? false,
  }));
  const faults = optionFaults(options);
  if (faults.length > 0) throw new InvalidPayload(faults);
  return {
    kind: kind satisfies RequestKind,
    title: value.title,
    gist: value.gist,
    extended: value.extended ?? null,
    dangerLevel: value.danger_level ?? null,
    options,
  };
}

/**
 * Parses against a closed schema; faults come as `path: what is wrong`.
 * @throws InvalidPayload
 */
export function parsePayload<T>(schema: z.ZodType, raw: unknown): T {
  const result = schema.safeParse(raw ?? {}, { reportInput: true });
  if (result.success) return result.data as T;
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  throw new InvalidPayload(result.error.issues.flatMap((issue) => faultsOf(issue, known)));
}

/**
 * Checks a person's free text or reason.
 * @returns what is wrong, or null
 */
export function faultOfWords(words: string): string | null {
  const result = text(caps.words, { lines: true }).safeParse(words);
  return result.success ? null : (result.error.issues[0]?.message ?? 'does not fit');
}

function text(cap: number, { lines }: { lines: boolean }) {
  return z
    .string()
    .superRefine((value, ctx) => {
      const fault = faultOfText(value, cap, lines);
      if (fault !== null) ctx.addIssue({ code: 'custom', message: fault });
    })
    .meta({ minLength: 1, maxLength: cap });
}

const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

function faultOfText(value: string, cap: number, lines: boolean): string | null {
  if (!value.isWellFormed()) return 'holds half of a surrogate pair; send well-formed Unicode';
  const length = [...value].length;
  if (length > cap) return `is ${length} characters long; at most ${cap} characters`;
  if (value.trim() === '') return 'is empty; say something a person can decide on';
  const control = controls.exec(value);
  if (control) {
    const code = (value.codePointAt(control.index) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `holds the control character U+${code} at position ${control.index}; remove it`;
  }
  if (!lines && /[\n\r]/.test(value)) return 'holds a line break; write one line';
  return null;
}

function optionFaults(options: readonly { label: string; recommended: boolean }[]): string[] {
  const faults: string[] = [];
  if (options.filter((option) => option.recommended).length > 1) faults.push('options: at most one recommended option');
  options.forEach((option, index) => {
    const first = options.findIndex((other) => other.label.trim() === option.label.trim());
    if (first < index)
      faults.push(`options.${index}.label: is the same as options.${first}.label; make every choice different`);
  });
  return faults;
}

function faultsOf(issue: z.core.$ZodIssue, known: readonly string[]): string[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const near = path.length === 0 ? nearest(key, known) : null;
      const name = [...path, key].join('.');
      return `${name}: is not an argument of this tool${near === null ? '' : `; did you mean ${near}?`}`;
    });
  }
  if (issue.code === 'too_big' && issue.origin === 'array') {
    return [`${[...path, String(issue.maximum)].join('.')}: ${issue.message}`];
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) return [`${name(path)}: is required`];
  if (issue.code === 'invalid_type') return [`${name(path)}: must be ${article(issue.expected)}`];
  if (issue.code === 'invalid_value')
    return [`${name(path)}: must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`];
  return [`${name(path)}: ${issue.message}`];
}

function name(path: readonly string[]): string {
  return path.length === 0 ? 'arguments' : path.join('.');
}

function article(expected: string): string {
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

/** The known name within two edits, if there is one. */
function nearest(key: string, known: readonly string[]): string | null {
  const ranked = known.map((name) => ({ name, distance: distance(key, name) })).sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= 2 ? best.name : null;
}

function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
