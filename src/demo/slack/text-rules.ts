import { isObject } from '../json.ts';

/** Notes one broken rule in Slack's words, with the place as a JSON pointer. */
export type Complain = (message: string, pointer: string) => void;

export interface TextRule {
  /** UTF-16 units: the strictest reading of Slack's "characters". */
  readonly most: number;
  readonly plainOnly: boolean;
}

/** Limits of text objects: docs.slack.dev/reference/block-kit/composition-objects/text-object. */
export function checkTextObject(value: unknown, at: string, rule: TextRule, complain: Complain): void {
  if (!isObject(value)) {
    complain('missing required field: text', at);
    return;
  }
  const { type, text } = value;
  const plain = type === 'plain_text';
  if (!plain && (rule.plainOnly || type !== 'mrkdwn')) {
    complain(rule.plainOnly ? 'must be a valid enum value: plain_text' : 'must be a valid enum value', `${at}/type`);
  }
  checkKeys(value, ['type', 'text', plain ? 'emoji' : 'verbatim'], at, complain);
  checkString(text, `${at}/text`, 1, rule.most, complain);
}

export function checkString(value: unknown, at: string, least: number, most: number, complain: Complain): void {
  if (typeof value !== 'string') complain('must be a string', at);
  else if (value.length < least) complain(`must be more than ${least - 1} characters`, at);
  else if (value.length > most) complain(`must be less than ${most + 1} characters`, at);
}

export function checkOptionalString(value: unknown, at: string, most: number, complain: Complain): void {
  if (value !== undefined) checkString(value, at, 1, most, complain);
}

export function checkKeys(value: object, allowed: readonly string[], at: string, complain: Complain): void {
  for (const key of Object.keys(value)) {
    if (!allowed.includes(key)) complain(`invalid additional property: ${key}`, at);
  }
}
