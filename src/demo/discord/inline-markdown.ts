/** What a piece of text shows and whom it names. */
export interface Shown {
  readonly text: string;
  /** `@everyone`, `@here`, or `<@id>`, `<@&id>` as written. */
  readonly mentions: readonly string[];
}

export interface MarkdownContext {
  /** Display name of a person, role or channel; null: unknown. */
  nameOf(id: string): string | null;
  readonly now: Date;
}

type Rule = (
  rest: string,
  before: string,
  context: MarkdownContext,
) => { readonly length: number; readonly shown: Shown } | null;

/** A few of the names that clients draw as emoji, also in what bots write. */
const shortcodes: Readonly<Record<string, string>> = {
  smile: '😄',
  warning: '⚠️',
  white_check_mark: '✅',
  x: '❌',
  fire: '🔥',
  rocket: '🚀',
  skull: '💀',
  thumbsup: '👍',
  '+1': '👍',
};

/** Applies Discord's inline rules in the order of its clients (SimpleMarkdown). */
export function showInline(source: string, context: MarkdownContext): Shown {
  let text = '';
  const mentions: string[] = [];
  let at = 0;
  while (at < source.length) {
    const rest = source.slice(at);
    const before = at === 0 ? '' : source.charAt(at - 1);
    let taken = false;
    for (const rule of rules) {
      const found = rule(rest, before, context);
      if (found === null) continue;
      text += found.shown.text;
      mentions.push(...found.shown.mentions);
      at += found.length;
      taken = true;
      break;
    }
    if (!taken) {
      text += source.charAt(at);
      at += 1;
    }
  }
  return { text, mentions };
}

/** Text as it stands. */
const literal = (pattern: RegExp, group = 1): Rule => {
  return (rest) => {
    const match = pattern.exec(rest);
    return match === null ? null : { length: match[0].length, shown: { text: match[group] ?? '', mentions: [] } };
  };
};

/** Text between marks, in which the other marks count too. */
const nested = (pattern: RegExp, mayFollow: (before: string) => boolean = () => true): Rule => {
  return (rest, before, context) => {
    const match = mayFollow(before) ? pattern.exec(rest) : null;
    return match === null ? null : { length: match[0].length, shown: showInline(match[1] ?? '', context) };
  };
};

const mention = (pattern: RegExp, sign: string): Rule => {
  return (rest, _before, context) => {
    const match = pattern.exec(rest);
    if (match === null) return null;
    const text = `${sign}${context.nameOf(match[1] ?? '') ?? 'unknown'}`;
    return { length: match[0].length, shown: { text, mentions: sign === '@' ? [match[0]] : [] } };
  };
};

const everyone: Rule = (rest) => {
  const match = /^@(everyone|here)/.exec(rest);
  return match === null ? null : { length: match[0].length, shown: { text: match[0], mentions: [match[0]] } };
};

const timestamp: Rule = (rest, _before, { now }) => {
  const match = /^<t:(-?\d{1,17})(?::([tTdDfFR]))?>/.exec(rest);
  if (match === null) return null;
  const at = new Date(Number(match[1]) * 1_000);
  if (Number.isNaN(at.getTime())) return null;
  const text = match[2] === 'R' ? toRelative(at, now) : `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return { length: match[0].length, shown: { text, mentions: [] } };
};

const shortcode: Rule = (rest) => {
  const match = /^:([a-z0-9_+-]+):/.exec(rest);
  const emoji = shortcodes[match?.[1] ?? ''];
  return match === null || emoji === undefined
    ? null
    : { length: match[0].length, shown: { text: emoji, mentions: [] } };
};

const isNoWord = (before: string) => !/\w/.test(before);

const rules: readonly Rule[] = [
  literal(/^\\([^0-9A-Za-z\s])/),
  literal(/^```(?:[\w+.#-]*\n)?([\s\S]*?)```/),
  literal(/^``((?:[^`]|`(?!`))+)``(?!`)/),
  literal(/^`([^`]+)`(?!`)/),
  nested(/^\[((?:\\[\s\S]|[^\]\\])+)\]\(<?https?:\/\/[^\s)>]+>?(?: +"[^"]*")?\)/),
  literal(/^<((?:https?|mailto|tel|sms):[^\s>]+)>/),
  literal(/^((?:https?|steam|discord):\/\/[^\s<]+[^<.,:;"')\]\s])/),
  mention(/^<@!?(\d{5,20})>/, '@'),
  mention(/^<@&(\d{5,20})>/, '@'),
  mention(/^<#(\d{5,20})>/, '#'),
  literal(/^<a?(:\w{2,32}:)\d{5,20}>/),
  literal(/^<(\/[\w -]{1,80}):\d{5,20}>/),
  literal(/^<id:(customize|browse|guide)>/),
  timestamp,
  everyone,
  shortcode,
  nested(/^\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/),
  nested(/^__((?:\\[\s\S]|[^\\])+?)__(?!_)/),
  nested(/^\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^*\s\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/),
  nested(/^_((?:__|\\[\s\S]|[^\\_])+?)_(?!\w)/, isNoWord),
  nested(/^~~([\s\S]+?)~~(?!_)/),
  nested(/^\|\|([\s\S]+?)\|\|/),
];

function toRelative(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1_000);
  const size = Math.abs(seconds);
  const [unit, length]: [Intl.RelativeTimeFormatUnit, number] =
    size < 60 ? ['second', 1] : size < 3_600 ? ['minute', 60] : size < 86_400 ? ['hour', 3_600] : ['day', 86_400];
  return new Intl.RelativeTimeFormat('en').format(Math.round(seconds / length), unit);
}
