/**
 * One line about an error. The library's errors carry request bodies and interaction tokens as properties, so they are
 * never logged whole.
 */
export function toLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return scrub(`${text}${cause}`).slice(0, 500);
}

/** Blots out bot tokens and the tokens in webhook addresses. */
export function scrub(text: string): string {
  return text
    .replaceAll(/[\w-]{18,}\.[\w-]{4,}\.[\w-]{20,}/g, '…')
    .replaceAll(/(webhooks|interactions)\/(\d+)\/[^/\s]+/g, '$1/$2/…');
}
