import type { Choice } from '../contract.ts';

/** What a button of ours says: an answer, or that the person wants to write. */
export type Pressed =
  | { readonly kind: 'answer'; readonly token: string; readonly choice: Choice }
  | { readonly kind: 'compose'; readonly token: string; readonly form: 'deny' | 'text' };

/** `b1:<token>:<verb>`; with a token of 40 bytes at most 46 of the 64 bytes that Telegram takes. */
export function toCallbackData(token: string, verb: 'a' | 'd' | 'r' | 'w' | `${number}`): string {
  return `b1:${token}:${verb}`;
}

/** @returns null when it is not ours. The data comes from the client: the token and the choice are judged by the engine. */
export function parseCallbackData(data: unknown): Pressed | null {
  const match = typeof data === 'string' ? /^b1:([\w-]{1,40}):([adrw]|[0-9])$/.exec(data) : null;
  if (match === null) return null;
  const [, token = '', verb = ''] = match;
  switch (verb) {
    case 'a':
      return { kind: 'answer', token, choice: { kind: 'approve' } };
    case 'd':
      return { kind: 'answer', token, choice: { kind: 'deny' } };
    case 'r':
      return { kind: 'compose', token, form: 'deny' };
    case 'w':
      return { kind: 'compose', token, form: 'text' };
    default:
      return { kind: 'answer', token, choice: { kind: 'option', index: Number(verb) } };
  }
}
