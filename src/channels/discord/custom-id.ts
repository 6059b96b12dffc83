import type { Choice } from '../contract.ts';

/** What a button or a form of ours stands for. */
export type Does =
  | { readonly kind: 'answer'; readonly choice: Exclude<Choice, { kind: 'text' }> }
  | { readonly kind: 'compose'; readonly form: 'deny' | 'text' };

const prefix = 'beckon';

/** `beckon:<page token>:<what it does>`; at most 60 of the 100 characters that Discord takes. */
export function toCustomId(token: string, does: Does): string {
  if (does.kind === 'compose') return `${prefix}:${token}:${does.form === 'deny' ? 'reason' : 'write'}`;
  const { choice } = does;
  return `${prefix}:${token}:${choice.kind === 'option' ? `option${choice.index}` : choice.kind}`;
}

/** @returns null when it is not an id of ours */
export function parseCustomId(text: string): { readonly token: string; readonly does: Does } | null {
  const match = /^beckon:([\w-]{1,40}):(approve|deny|reason|write|option(\d))$/.exec(text);
  if (match === null) return null;
  const [, token = '', what, index] = match;
  switch (what) {
    case 'approve':
    case 'deny':
      return { token, does: { kind: 'answer', choice: { kind: what } } };
    case 'reason':
      return { token, does: { kind: 'compose', form: 'deny' } };
    case 'write':
      return { token, does: { kind: 'compose', form: 'text' } };
    default:
      return { token, does: { kind: 'answer', choice: { kind: 'option', index: Number(index) } } };
  }
}
