/** Slack's parsing of `mrkdwn` and of the top-level `text` (docs.slack.dev/messaging/formatting-message-text). */

export interface ParsedText {
  /** What a person reads. */
  readonly visible: string;
  /** Whom it notifies: `channel`, `here`, `everyone`, `subteam:<id>` or a user id. */
  readonly pings: readonly string[];
  /** Where its links lead. */
  readonly links: readonly string[];
}

const control = /<([^<>\n]*)>/g;

export function parseMrkdwn(text: string, nameOf: (userId: string) => string | null): ParsedText {
  const pings: string[] = [];
  const links: string[] = [];
  let visible = '';
  let from = 0;
  for (const match of text.matchAll(control)) {
    visible += decorate(text.slice(from, match.index)) + readControl(match[1] ?? '', match[0]);
    from = match.index + match[0].length;
  }
  visible += decorate(text.slice(from));
  return { visible, pings, links };

  function readControl(body: string, whole: string): string {
    const bar = body.indexOf('|');
    const head = bar === -1 ? body : body.slice(0, bar);
    const label = bar === -1 ? '' : decodeEntities(body.slice(bar + 1));
    if (head.startsWith('@')) {
      const id = head.slice(1);
      const name = nameOf(id);
      if (name === null) return whole;
      pings.push(id);
      return `@${name}`;
    }
    if (/^!(channel|here|everyone)$/.test(head)) {
      pings.push(head.slice(1));
      return `@${head.slice(1)}`;
    }
    if (head.startsWith('!subteam^')) {
      pings.push(`subteam:${head.slice(9)}`);
      return label === '' ? '@group' : label;
    }
    if (head.startsWith('!date^')) return label;
    if (head.startsWith('#')) return `#${label === '' ? head.slice(1) : label}`;
    if (/^(https?:\/\/|mailto:|slack:\/\/)/.test(head)) {
      links.push(decodeEntities(head));
      return label === '' ? decodeEntities(head) : label;
    }
    return whole;
  }
}

/** `:tada:` becomes a picture wherever emoji are on. */
export function withEmoji(text: string): string {
  return text.replaceAll(/:([a-z0-9_+-]+):/g, (whole, name: string) => pictures[name] ?? whole);
}

const pictures: Readonly<Record<string, string>> = {
  tada: '🎉',
  smile: '😄',
  warning: '⚠️',
  white_check_mark: '✅',
  x: '❌',
  rotating_light: '🚨',
  '+1': '👍',
};

function decorate(text: string): string {
  let shown = withEmoji(text);
  for (const mark of ['\\*', '_', '~', '`']) {
    shown = shown.replaceAll(
      new RegExp(`(^|[\\s(>])${mark}(\\S(?:[^\\n]*?\\S)?)${mark}(?=$|[\\s.,;:!?)])`, 'g'),
      '$1$2',
    );
  }
  return decodeEntities(shown);
}

function decodeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
