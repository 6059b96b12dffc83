import { isObject, type JsonObject, toText } from '../json.ts';
import type { ForceReply, Keyboard } from './group.ts';
import { type Refusal, refuse } from './method.ts';
import { checkLink } from './url-rules.ts';

/** What a call wants below a message. */
export type Markup =
  | { readonly kind: 'none' }
  | { readonly kind: 'keyboard'; readonly keyboard: Keyboard }
  | { readonly kind: 'force_reply'; readonly forceReply: ForceReply }
  | { readonly kind: 'other' };

/** No limit is published; users of the API report this one. */
const mostButtons = 100;
const mostPlaceholder = 64;

/** Reads `reply_markup`, which may come as JSON text. Fields it does not know are passed over. */
export function readMarkup(value: unknown): Markup | Refusal {
  if (value === undefined || value === null || value === '') return { kind: 'none' };
  const markup = typeof value === 'string' ? parseJson(value) : value;
  if (!isObject(markup)) return bad("can't parse reply keyboard markup JSON object");
  if (markup.inline_keyboard !== undefined) return readKeyboard(markup.inline_keyboard);
  if (markup.force_reply === true) {
    const placeholder = markup.input_field_placeholder;
    const length = typeof placeholder === 'string' ? [...placeholder].length : null;
    if (length !== null && (length < 1 || length > mostPlaceholder)) return bad('REPLY_MARKUP_INVALID');
    const text = typeof placeholder === 'string' ? placeholder : null;
    return { kind: 'force_reply', forceReply: { selective: markup.selective === true, placeholder: text } };
  }
  if (markup.keyboard !== undefined || markup.remove_keyboard === true) return { kind: 'other' };
  return bad('object expected as reply markup');
}

function readKeyboard(rows: unknown): Markup | Refusal {
  if (!Array.isArray(rows)) return bad('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array');
  const keyboard: JsonObject[][] = [];
  for (const row of rows) {
    if (!Array.isArray(row))
      return bad('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays');
    const buttons: JsonObject[] = [];
    for (const item of row) {
      const button = readButton(item);
      if ('refused' in button) return button;
      buttons.push(button.button);
    }
    if (buttons.length > 0) keyboard.push(buttons);
  }
  if (keyboard.flat().length > mostButtons) return bad('reply markup is too long');
  return { kind: 'keyboard', keyboard };
}

function readButton(item: unknown): { readonly button: JsonObject } | Refusal {
  const prefix = "can't parse inline keyboard button";
  if (!isObject(item)) return bad(`${prefix}: InlineKeyboardButton must be an Object`);
  const { callback_data: data, url, style } = item;
  const text = toText(item.text);
  if (typeof item.text !== 'string') return bad(`${prefix}: Can't find field "text"`);
  if (text.trim() === '') return bad('inline keyboard button text must be non-empty');
  const look = typeof style === 'string' ? { style } : {};
  if (typeof url === 'string' && url !== '') {
    const checked = checkLink(url);
    if (checked === null) return bad(`inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`);
    return { button: { text, url: checked, ...look } };
  }
  if (typeof data !== 'string') return bad(`${prefix}: Text buttons are unallowed in the inline keyboard`);
  const bytes = Buffer.byteLength(data);
  if (bytes < 1 || bytes > 64) return bad('BUTTON_DATA_INVALID');
  return { button: { text, callback_data: data, ...look } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function bad(what: string): Refusal {
  return refuse(400, `Bad Request: ${what}`, { violates: true });
}
