import type { PageOutcome } from '../page.ts';
import { outcomeMarks, outcomeSentence } from '../page-words.ts';
import { escapedLine } from './markdown.ts';

export const outcomeColors = {
  approved: 0x57f287,
  denied: 0xed4245,
  answered: 0x5865f2,
  expired: 0x95a5a6,
  cancelled: 0x95a5a6,
} as const;

/** What, who, where and when, as Markdown of at most 1,200 units. */
export function renderHeadline(outcome: PageOutcome): string {
  return `${outcomeMarks[outcome.status]} **${toSentence(outcome)}** · ${moment(outcome.at)}${toChoice(outcome)}`;
}

/** A moment in the reader's own time zone. */
export function moment(at: Date, style: 'f' | 'R' = 'f'): string {
  return `<t:${Math.trunc(at.getTime() / 1_000)}:${style}>`;
}

function toSentence(outcome: PageOutcome): string {
  return outcomeSentence(outcome, outcome.by === undefined ? undefined : escapedLine(outcome.by, 200));
}

function toChoice({ chosenOption }: PageOutcome): string {
  return chosenOption === undefined ? '' : `\n${chosenOption.index + 1}\\. ${escapedLine(chosenOption.label, 400)}`;
}
