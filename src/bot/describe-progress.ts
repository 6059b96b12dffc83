import type { PageRow } from '../ledger/index.ts';

/** Where a request stands with people, in one line for the waiting agent: "paged on Slack and Telegram; Discord failed". */
export function describeProgress(
  pages: readonly PageRow[],
  chats: readonly string[],
  titleOf: (channel: string) => string,
): string {
  const names = (some: readonly PageRow[]) =>
    [...new Set(some.map((page) => titleOf(page.address.channel)))].join(', ');
  const shown = pages.filter((page) => page.receipt !== null);
  const failed = pages.filter((page) => page.receipt === null && page.lastError !== null);
  const waiting = pages.filter((page) => page.receipt === null && page.lastError === null);
  const parts = [
    shown.length > 0 ? `paged on ${names(shown)}` : '',
    waiting.length > 0 ? `being sent to ${names(waiting)}` : '',
    failed.length > 0 ? `could not reach ${names(failed)} yet (trying again)` : '',
  ].filter((part) => part !== '');
  if (shown.length === 0 && waiting.length === 0 && failed.length > 0)
    return `nobody could be reached yet: ${parts.join('; ')}; it is on the dashboard`;
  if (pages.length === 0) {
    const why = chats.length === 0 ? 'no chat is set up' : `${chats.join(', ')} cannot be reached now`;
    return `shown on the dashboard only (${why})`;
  }
  return parts.join('; ');
}
