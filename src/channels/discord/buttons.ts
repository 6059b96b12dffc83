import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIButtonComponentWithURL,
  ButtonStyle,
  ComponentType,
} from 'discord.js';
import type { Page } from '../page.ts';
import { toVisibleLine } from '../visible-text.ts';
import { type Does, toCustomId } from './custom-id.ts';

type Button = APIButtonComponentWithCustomId | APIButtonComponentWithURL;
export type ButtonRow = APIActionRowComponent<Button>;

/** Discord cuts a longer label in narrow clients (components/reference.mdx, design guide); 80 is the hard limit. */
const mostShown = 34;
const mostLabel = 80;
/** Hard limit of a link button's address. */
const mostUrl = 512;

/** The buttons of a pending page. */
export function renderButtons(page: Page): ButtonRow[] {
  const url = safeUrl(page.detailUrl);
  const link: Button | null =
    url === null || url.length > mostUrl
      ? null
      : {
          type: ComponentType.Button,
          style: ButtonStyle.Link,
          label: page.hasExtended ? 'Read it all' : 'Details',
          url,
        };
  const buttons = choices(page);
  if (link === null) return [row(buttons)];
  return buttons.length < 5 ? [row([...buttons, link])] : [row(buttons), row([link])];
}

/** The address as Discord takes it in buttons and links; null where it is no web address. */
export function safeUrl(text: string | undefined): string | null {
  if (text === undefined || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  return url.href.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('<', '%3C').replaceAll('>', '%3E');
}

function choices(page: Page): Button[] {
  const button = (does: Does, label: string, style: APIButtonComponentWithCustomId['style']): Button => ({
    type: ComponentType.Button,
    style,
    label,
    custom_id: toCustomId(page.token, does),
  });
  if (page.kind === 'steering') {
    return [
      ...page.options.map(({ label, recommended }, index) =>
        button(
          { kind: 'answer', choice: { kind: 'option', index } },
          shortLabel(label, index),
          recommended ? ButtonStyle.Primary : ButtonStyle.Secondary,
        ),
      ),
      button({ kind: 'compose', form: 'text' }, 'Write…', ButtonStyle.Secondary),
    ];
  }
  return [
    button({ kind: 'answer', choice: { kind: 'approve' } }, 'Approve', ButtonStyle.Success),
    button({ kind: 'answer', choice: { kind: 'deny' } }, 'Deny', ButtonStyle.Danger),
    button({ kind: 'compose', form: 'deny' }, 'Deny with reason…', ButtonStyle.Secondary),
  ];
}

function row(components: Button[]): ButtonRow {
  return { type: ComponentType.ActionRow, components };
}

/** `1 · first words…`, whole graphemes only. A button's label is not parsed, so it needs no escape. */
function shortLabel(label: string, index: number): string {
  const start = `${index + 1} · `;
  const line = toVisibleLine(label).trim();
  const graphemes = Array.from(new Intl.Segmenter('en').segment(line), ({ segment }) => segment);
  const shown =
    graphemes.length <= mostShown - start.length ? graphemes : graphemes.slice(0, mostShown - start.length - 1);
  let text = '';
  for (const grapheme of shown) {
    // A family emoji alone can be 11 units.
    if (start.length + text.length + grapheme.length + 1 > mostLabel) break;
    text += grapheme;
  }
  return `${start}${text === line ? text : `${text.trimEnd()}…`}`.trimEnd();
}
