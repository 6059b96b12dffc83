import type { Request as HttpRequest } from 'express';
import type { BoardAnswer, Request } from '../../../ledger/index.ts';
import { fieldOf } from '../../guard/read-form.ts';

type Parsed =
  | { readonly choice: BoardAnswer['choice']; readonly text: string }
  | { readonly fault: string; readonly text: string };

/** What the answer form says, or what is wrong with it. Whether it fits the request is judged by the board. */
export function parseAnswer(form: HttpRequest, request: Request): Parsed {
  const text = fieldOf(form, 'text') ?? '';
  const choice = toChoice(fieldOf(form, 'choice'));
  if (choice === null)
    return { fault: 'No answer was chosen, so nothing was decided. Press one of the buttons.', text };
  if (choice.kind === 'approve' && request.dangerLevel === 'high' && fieldOf(form, 'sure') !== 'yes') {
    return {
      fault: 'This is of high danger. Tick that you mean it, then press Approve again. Nothing was decided.',
      text,
    };
  }
  return { choice, text };
}

function toChoice(value: string | undefined): BoardAnswer['choice'] | null {
  if (value === 'approve' || value === 'deny' || value === 'text') return { kind: value };
  const index = /^option:(\d{1,2})$/.exec(value ?? '')?.[1];
  return index === undefined ? null : { kind: 'option', index: Number(index) };
}
