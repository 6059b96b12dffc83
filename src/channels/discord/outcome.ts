import type { AnswerPlace, PageOutcome } from '../page.ts';
import { escapedLine } from './markdown.ts';

const places: Readonly<Record<AnswerPlace, string>> = {
  slack: 'on Slack',
  discord: 'on Discord',
  telegram: 'on Telegram',
  dashboard: 'on the dashboard',
  api: 'through the API',
  policy: 'under a policy',
  terminal: 'in the terminal',
};

const marks = { approved: '✅', denied: '⛔', answered: '💬', expired: '⌛', cancelled: '🚫' } as const;

export const outcomeColors = {
  approved: 0x57f287,
  denied: 0xed4245,
  answered: 0x5865f2,
  expired: 0x95a5a6,
  cancelled: 0x95a5a6,
} as const;

/** What, who, where and when, as Markdown of at most 1,200 units. */
export function renderHeadline(outcome: PageOutcome): string {
  return `${marks[outcome.status]} **${toSentence(outcome)}** · ${moment(outcome.at)}${toChoice(outcome)}`;
}

/** A moment in the reader's own time zone. */
export function moment(at: Date, style: 'f' | 'R' = 'f'): string {
  return `<t:${Math.trunc(at.getTime() / 1_000)}:${style}>`;
}

function toSentence({ status, by, via }: PageOutcome): string {
  const who = by === undefined ? '' : ` by ${escapedLine(by, 200)}`;
  const where = via === undefined ? '' : ` ${places[via]}`;
  switch (status) {
    case 'approved':
      return `Approved${who}${where}`;
    case 'denied':
      return `Denied${who}${where}`;
    case 'answered':
      return `Answered${who}${where}`;
    case 'expired':
      return 'Expired: nobody answered in time, and the agent was told no';
    case 'cancelled':
      return by === undefined ? 'Withdrawn by the agent' : `Cancelled${who}${where}`;
  }
}

function toChoice({ chosenOption }: PageOutcome): string {
  return chosenOption === undefined ? '' : `\n${chosenOption.index + 1}\\. ${escapedLine(chosenOption.label, 400)}`;
}
