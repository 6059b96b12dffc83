/** Works on UTF-8 bytes, one per character of a binary string, since the Bot API reports byte offsets. */

const names: Readonly<Record<string, number>> = { lt: 0x3c, gt: 0x3e, amp: 0x26, quot: 0x22 };

/** @returns the code point of the HTML entity at `at` and where it ends; null: a plain ampersand (td's MessageEntity.cpp) */
export function decodeHtmlEntity(bytes: string, at: number): { readonly code: number; readonly end: number } | null {
  const match = /^&(?:#x([0-9a-fA-F]*)|#(\d*)|([A-Za-z]*))/.exec(bytes.slice(at, at + 16));
  if (match === null) return null;
  const [whole, hex, decimal, name = ''] = match;
  const code = hex !== undefined ? Number.parseInt(hex, 16) : decimal !== undefined ? Number(decimal) : names[name];
  if (code === undefined || !(code > 0 && code < 0x10_ff_ff) || whole.length >= 10) return null;
  const end = at + whole.length;
  return { code, end: bytes[end] === ';' ? end + 1 : end };
}

export function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

export function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** White space in td's sense; the end of the text counts as such. */
export function isSpace(character: string | undefined): boolean {
  return character === undefined || ' \t\n\r\0\v'.includes(character);
}
