/** The three characters that HTML parse mode knows. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Telegram keeps 100 entities of a message and drops the rest, so each text may cost a few only. */
const mostQuoted = 5;

/**
 * Text that somebody else wrote, verbatim: no markup, and nobody is notified. Telegram makes a ping of every `@name` it
 * finds, except in code; so names stand in code, and where there are many of them the whole text does.
 */
export function toHtml(text: string): string {
  const names = /(?<!\w)@\w{2,}/g;
  const found = text.match(names)?.length ?? 0;
  if (found > mostQuoted) return `<code>${escapeHtml(text)}</code>`;
  return escapeHtml(text).replaceAll(names, (name) => `<code>${name}</code>`);
}

/** How long our HTML is once Telegram has parsed it, in UTF-16 units. */
export function parsedLength(html: string): number {
  const text = html.replaceAll(/<\/?(?:b|i|code|blockquote)>/g, '');
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').length;
}
