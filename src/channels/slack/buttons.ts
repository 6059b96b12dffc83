import type { types } from '@slack/bolt';
import type { Page, PageOption } from '../page.ts';
import { toVisibleLine } from '../visible-text.ts';
import { plain, safeUrl } from './text.ts';

/** What a button or a form of ours stands for, as its `action_id` or `callback_id`. */
export const actions = {
  approve: 'beckon:approve',
  deny: 'beckon:deny',
  denyWithReason: 'beckon:deny_reason',
  write: 'beckon:write',
  option: 'beckon:option:',
  open: 'beckon:open',
} as const;

/** Slack may cut a button's text after about 30 characters (block-kit/block-elements/button-element). */
const mostLabel = 30;

/** The buttons of a pending page. Each carries the page's token as its value. */
export function renderButtons(page: Page): types.ActionsBlock {
  return { type: 'actions', elements: [...choices(page), ...link(page)] };
}

function choices(page: Page): types.Button[] {
  const { token } = page;
  if (page.kind === 'steering') {
    return [
      ...page.options.map((option, index) => ({
        ...button(`${actions.option}${index}`, optionLabel(option, index), token),
        ...(option.recommended ? { style: 'primary' as const } : {}),
        ...asksTwice(page, `Answer with option ${index + 1}`),
      })),
      button(actions.write, 'Write…', token),
    ];
  }
  return [
    { ...button(actions.approve, 'Approve', token), style: 'primary', ...asksTwice(page, 'Approve') },
    { ...button(actions.deny, 'Deny', token), style: 'danger' },
    button(actions.denyWithReason, 'Deny with reason…', token),
  ];
}

function button(id: string, label: string, value: string): types.Button {
  return { type: 'button', action_id: id, text: plain(label), value };
}

function link(page: Page): types.Button[] {
  const url = safeUrl(page.detailUrl);
  if (url === null) return [];
  return [{ type: 'button', action_id: actions.open, text: plain(page.hasExtended ? 'Read it all' : 'Details'), url }];
}

/** `1 · first words…`, whole graphemes only. */
function optionLabel(option: PageOption, index: number): string {
  const start = `${index + 1} · `;
  const room = mostLabel - start.length;
  const graphemes = Array.from(new Intl.Segmenter('en').segment(toVisibleLine(option.label)), ({ segment }) => segment);
  const short = graphemes.length <= room ? graphemes : graphemes.slice(0, room - 1);
  let text = '';
  // 75 UTF-16 units is Slack's hard limit; a family emoji alone can be 11.
  for (const grapheme of short) {
    if (start.length + text.length + grapheme.length > 70) break;
    text += grapheme;
  }
  const whole = text.length === toVisibleLine(option.label).length;
  return `${start}${whole ? text : `${text.trimEnd()}…`}`;
}

/** High danger is asked about twice. */
function asksTwice(page: Page, what: string): { readonly confirm?: types.ConfirmationDialog } {
  if (page.danger !== 'high') return {};
  return {
    confirm: {
      title: plain('High danger'),
      text: plain(`${what}? The agent marked this as high danger.`),
      confirm: plain(what),
      deny: plain('Not yet'),
      style: 'danger',
    },
  };
}
