import { Markup } from 'telegraf';
import type { Page, PageOption } from '../page.ts';
import { toVisibleLine } from '../visible-text.ts';
import { toCallbackData } from './callback-data.ts';

type Button = ReturnType<typeof Markup.button.callback> | ReturnType<typeof Markup.button.url>;

/** Telegram publishes no limit; phones show about this much of a button that has a row to itself. */
const mostLabel = 34;

/** The keyboard of a pending page: options one a row, since phones cut what stands side by side. */
export function renderKeyboard(page: Page) {
  return Markup.inlineKeyboard([...choices(page), ...link(page)]).reply_markup;
}

function choices(page: Page): Button[][] {
  const { token } = page;
  if (page.kind === 'steering') {
    return [
      ...page.options.map((option, index) => [
        Markup.button.callback(optionLabel(option, index), toCallbackData(token, `${index}`)),
      ]),
      [Markup.button.callback('✍️ Write…', toCallbackData(token, 'w'))],
    ];
  }
  return [
    [
      Markup.button.callback('Approve', toCallbackData(token, 'a')),
      Markup.button.callback('Deny', toCallbackData(token, 'd')),
    ],
    [Markup.button.callback('Deny with reason…', toCallbackData(token, 'r'))],
  ];
}

/** Telegram refuses URL buttons to hosts that are not public: those stand in the text. */
function link(page: Page): Button[][] {
  if (page.detailUrl === undefined || !isPublicUrl(page.detailUrl)) return [];
  return [[Markup.button.url(page.hasExtended ? 'Read it all' : 'Details', page.detailUrl)]];
}

export function isPublicUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  return hostname.includes('.') && !/^\d+(\.\d+){3}$/.test(hostname) && !hostname.endsWith('.local');
}

/** `1 · first words…`, whole graphemes only. */
function optionLabel(option: PageOption, index: number): string {
  const start = `${index + 1} · `;
  const room = mostLabel - start.length;
  const graphemes = Array.from(new Intl.Segmenter('en').segment(toVisibleLine(option.label)), ({ segment }) => segment);
  const text =
    graphemes.length <= room
      ? graphemes.join('')
      : `${graphemes
          .slice(0, room - 1)
          .join('')
          .trimEnd()}…`;
  return `${start}${text}`;
}
