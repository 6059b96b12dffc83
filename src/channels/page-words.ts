import type { AnswerPlace, DangerLevel, PageKind, PageOutcome } from './page.ts';

/** The words and signs of a page, the same on every channel. Each adapter puts them into its platform's form. */

export const kindWords: Readonly<Record<PageKind, { readonly mark: string; readonly name: string }>> = {
  permission: { mark: '🔐', name: 'Permission' },
  plan_check: { mark: '📋', name: 'Plan check' },
  steering: { mark: '🧭', name: 'Question' },
  access: { mark: '🔑', name: 'Access' },
};

export const dangerWords: Readonly<Record<DangerLevel, { readonly mark: string; readonly name: string }>> = {
  low: { mark: '🟢', name: 'Low danger' },
  medium: { mark: '🟠', name: 'Medium danger' },
  high: { mark: '🔴', name: 'High danger' },
};

export const outcomeMarks: Readonly<Record<PageOutcome['status'], string>> = {
  approved: '✅',
  denied: '⛔',
  answered: '💬',
  expired: '⌛',
  cancelled: '🚫',
};

const places: Readonly<Record<AnswerPlace, string>> = {
  slack: 'on Slack',
  discord: 'on Discord',
  telegram: 'on Telegram',
  dashboard: 'on the dashboard',
  api: 'through the API',
  policy: 'under a policy',
  terminal: 'in the terminal',
};

/**
 * What, who and where, without the chosen option: "Approved by Ada on Slack".
 * @param by the person's name in the platform's form, escaped
 */
export function outcomeSentence({ status, via }: PageOutcome, by: string | undefined): string {
  const who = by === undefined ? '' : ` by ${by}`;
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
