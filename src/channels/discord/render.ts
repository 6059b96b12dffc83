import type { APIEmbed, APIEmbedField } from 'discord.js';
import type { DangerLevel, Page, PageOutcome } from '../page.ts';
import { dangerWords, kindWords } from '../page-words.ts';
import { allot } from './allot.ts';
import { type ButtonRow, renderButtons, safeUrl } from './buttons.ts';
import { escapedLine, escapeMarkdown, fitEscaped, splitEscaped, visibleLine, visibleText } from './markdown.ts';
import { moment, outcomeColors, renderHeadline } from './outcome.ts';

/** A message as `POST` and `PATCH …/messages` take it. */
export interface DiscordContent {
  readonly content: string;
  readonly embeds: APIEmbed[];
  readonly components: ButtonRow[];
  readonly allowed_mentions: { readonly parse: [] };
}

/**
 * Discord's limits (resources/message.mdx#embed-limits). Which unit it counts is not documented: UTF-16 units are the
 * strictest reading.
 */
const most = { total: 6_000, description: 4_096 } as const;

/** What everybody gets, however much the others want; words alone may fill an embed. Together under the total less our own words. */
const least = { words: 4_000, title: 300, option: 100, gist: 300 } as const;

/** The page as it is now. Agent- and person-written text is shown verbatim and never as markup. */
export function renderPage(page: Page): DiscordContent {
  return page.outcome === undefined ? renderPending(page) : renderSettled(page, page.outcome);
}

export function renderPending(page: Page): DiscordContent {
  const color = page.danger === undefined ? kindColor : dangerColors[page.danger];
  const expires = { name: 'Expires', value: `${moment(page.expiresAt)} · ${moment(page.expiresAt, 'R')}` };
  return {
    content: lead(page),
    embeds: renderBody(page, { color, words: null, last: [expires] }),
    components: renderButtons(page),
    allowed_mentions: { parse: [] },
  };
}

export function renderSettled(page: Page, outcome: PageOutcome): DiscordContent {
  const url = safeUrl(page.detailUrl);
  const link = url === null || url.length > 400 ? [] : [{ name: 'Details', value: `[Open the request](${url})` }];
  const words = outcome.words === undefined ? null : visibleText(outcome.words);
  return {
    content: `${lead(page)}\n${renderHeadline(outcome)}`,
    embeds: renderBody(page, { color: outcomeColors[outcome.status], words, last: link }),
    components: [],
    allowed_mentions: { parse: [] },
  };
}

/** Outside the embeds, for notifications: what is asked and by whom. */
function lead(page: Page): string {
  const { mark, name } = kindWords[page.kind];
  return `${mark} **${name}** · ${escapedLine(page.instanceLabel, 200)}`;
}

/**
 * The person's words, if any, in an embed of their own; then title, gist and options. Room goes to the words first, then
 * to the title, the options and the gist: what no longer fits is cut visibly, and whole on the detail page.
 */
function renderBody(
  page: Page,
  parts: { readonly color: number; readonly words: string | null; readonly last: readonly APIEmbedField[] },
): APIEmbed[] {
  const { color, words, last } = parts;
  const title = visibleLine(page.title);
  const gist = visibleText(page.gist);
  const labels = page.options.map(({ label }) => visibleLine(label));
  const danger = renderDanger(page.danger);
  const notes = renderNotes(page);
  const wants = (text: string | null) => (text === null ? 0 : escapeMarkdown(text).length);
  const ours = danger.length + '### \n'.length + countText([...notes, ...last]) + labels.length * mostAroundOption;
  const [wordsRoom = 0, titleRoom = 0, ...rooms] = allot(most.total - ours, [
    { wants: Math.min(wants(words), most.description), least: least.words },
    { wants: wants(title), least: least.title },
    ...labels.map((label) => ({ wants: wants(label), least: least.option })),
    { wants: wants(gist), least: least.gist },
  ]);
  const gistRoom = rooms.pop() ?? 0;

  const head = `${danger}### ${fitEscaped(title, titleRoom)}\n`;
  const gistParts = splitEscaped(gist, { first: most.description - head.length, size: most.description }, gistRoom);
  const options = labels.map((label, index) => renderOption(page, index, label, rooms[index] ?? 0));
  const blocks = [...gistParts.map((part, index) => (index === 0 ? head + part : part)), ...options];
  const body = fillDescriptions(blocks).map((description): APIEmbed => ({ color, description }));
  const fields = [...notes, ...last];
  const end = body.at(-1);
  if (end !== undefined && fields.length > 0) end.fields = fields;
  return [...(words === null ? [] : [{ color, description: fitEscaped(words, wordsRoom) }]), ...body];
}

/** What stands around an option's label: `\n\n✔ ★ 1\. … (recommended)`. */
const mostAroundOption = 30;

/** As few embeds as the limit of a description allows; blocks stand apart. */
function fillDescriptions(blocks: readonly string[]): string[] {
  const full: string[] = [];
  for (const block of blocks) {
    const open = full.at(-1);
    const joined = `${open}\n\n${block}`;
    if (open === undefined || joined.length > most.description) full.push(block);
    else full[full.length - 1] = joined;
  }
  return full;
}

function countText(fields: readonly APIEmbedField[]): number {
  return fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
}

function renderDanger(danger: DangerLevel | undefined): string {
  return danger === undefined ? '' : `${dangerWords[danger].mark} **${dangerWords[danger].name}**\n`;
}

/** An option in full, on one line; ★ and ✔ stand before the number, where no label can forge them. */
function renderOption(page: Page, index: number, label: string, room: number): string {
  const recommended = page.options[index]?.recommended === true;
  const mark = `${page.outcome?.chosenOption?.index === index ? '✔ ' : ''}${recommended ? '★ ' : ''}`;
  return `${mark}${index + 1}\\. ${fitEscaped(label, room)}${recommended ? ' (recommended)' : ''}`;
}

function renderNotes(page: Page): APIEmbedField[] {
  if (page.notes.length === 0) return [];
  return [{ name: 'Notes', value: fitEscaped(page.notes.map(visibleLine).join('\n'), 300) }];
}

const kindColor = 0x5865f2;

const dangerColors = { low: 0x57f287, medium: 0xe67e22, high: 0xed4245 } as const;
