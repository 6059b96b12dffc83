import type { types } from '@slack/bolt';
import type { Page, PageOutcome } from '../page.ts';
import { dangerWords, kindWords, outcomeMarks, outcomeSentence } from '../page-words.ts';
import { cutVisibly, toVisibleLine } from '../visible-text.ts';
import { renderButtons } from './buttons.ts';
import { escapeMrkdwn, heading, moment, plain, safeUrl, verbatim } from './text.ts';

/** A message as chat.postMessage and chat.update take it. */
export interface SlackContent {
  /** For notifications and screen readers; parsed by Slack, so escaped. */
  readonly text: string;
  readonly blocks: types.KnownBlock[];
}

/** The page as it is now. Agent- and person-written text is shown verbatim and never parsed. */
export function renderPage(page: Page): SlackContent {
  return page.outcome === undefined ? renderPending(page) : renderSettled(page, page.outcome);
}

/**
 * Room in UTF-16 units. A text within Beckon's caps never reaches it, unless most of it had to be made visible
 * (`⟨U+202E⟩` for one character). Together they stay under what Slack takes for all blocks of a message.
 */
const room = { label: 200, title: 1_000, gist: 4_500, option: 600, words: 4_000 } as const;

export function renderPending(page: Page): SlackContent {
  const blocks = [...top(page), ...danger(page), verbatim(page.gist, room.gist), ...options(page)];
  const expires = mrkdwn(`Expires ${moment(page.expiresAt)}`);
  return {
    text: fallback(`${page.danger === 'high' ? 'High danger. ' : ''}${kindWords[page.kind].name}`, page),
    blocks: [...blocks, renderButtons(page), ...notes(page), { type: 'context', elements: [expires] }],
  };
}

export function renderSettled(page: Page, outcome: PageOutcome): SlackContent {
  const url = safeUrl(page.detailUrl);
  const links = url === null ? [] : [mrkdwn(`<${escapeMrkdwn(url)}|Details>`)];
  return {
    text: fallback(toHeadline(outcome), page),
    blocks: [
      ...top(page),
      { type: 'section', text: plain(`${outcomeMarks[outcome.status]} ${toHeadline(outcome)}`) },
      ...(outcome.words === undefined ? [] : [verbatim(outcome.words, room.words)]),
      { type: 'context', elements: [mrkdwn(moment(outcome.at))] },
      { type: 'divider' },
      ...danger(page),
      verbatim(page.gist, room.gist),
      ...options(page),
      ...notes(page),
      ...(links.length === 0 ? [] : [{ type: 'context' as const, elements: links }]),
    ],
  };
}

function top(page: Page): types.KnownBlock[] {
  const { mark, name } = kindWords[page.kind];
  const label = cutVisibly(toVisibleLine(page.instanceLabel), room.label);
  return [{ type: 'context', elements: [plain(`${mark} ${name} · ${label}`)] }, heading(page.title, room.title)];
}

function danger(page: Page): types.KnownBlock[] {
  return page.danger === undefined
    ? []
    : [{ type: 'section', text: plain(`${dangerWords[page.danger].mark} ${dangerWords[page.danger].name}`) }];
}

/** Every option in full, numbered; ★ before the number, where no label can forge it. One line each. */
function options(page: Page): types.KnownBlock[] {
  const chosen = page.outcome?.chosenOption?.index;
  return page.options.map(({ label, recommended }, index) => {
    const mark = `${chosen === index ? '✔ ' : ''}${recommended ? '★ ' : ''}`;
    const text = cutVisibly(toVisibleLine(label), room.option);
    return { type: 'section', text: plain(`${mark}${index + 1}. ${text}${recommended ? ' (recommended)' : ''}`) };
  });
}

function notes(page: Page): types.KnownBlock[] {
  if (page.notes.length === 0) return [];
  return [{ type: 'context', elements: [plain(page.notes.map(toVisibleLine).join('\n'))] }];
}

function toHeadline(outcome: PageOutcome): string {
  const { by, chosenOption } = outcome;
  const sentence = outcomeSentence(outcome, by === undefined ? undefined : cutVisibly(toVisibleLine(by), 200));
  return chosenOption === undefined ? sentence : `${sentence}: ${toOptionLine(chosenOption)}`;
}

function toOptionLine({ index, label }: { readonly index: number; readonly label: string }): string {
  return `${index + 1}. ${cutVisibly(toVisibleLine(label), 400)}`;
}

function fallback(lead: string, page: Page): string {
  const text = `${lead}: ${toVisibleLine(page.title)} (${toVisibleLine(page.instanceLabel)})`;
  return escapeMrkdwn(cutVisibly(text, 300, '…'));
}

function mrkdwn(text: string): types.MrkdwnElement {
  return { type: 'mrkdwn', text };
}
