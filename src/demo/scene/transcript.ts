/** The scene as lines that a person reads: who said or did what. */
export interface Transcript {
  line(text?: string): void;
  act(number: number, title: string): void;
  /** `who` is a name or a part ("agent", "Beckon"); the text goes in a column of its own and wraps there. */
  say(who: string, text: string): void;
}

const whoWidth = 20;
const textWidth = 92;

export function createTranscript(out: (text: string) => void): Transcript {
  const line = (text = '') => out(`${text}\n`);
  return {
    line,
    act(number, title) {
      line();
      line(`${number}. ${title}`);
    },
    say(who, text) {
      const [first = '', ...rest] = wrap(text);
      line(`   ${who.padEnd(whoWidth)}${first}`);
      for (const more of rest) line(`   ${' '.repeat(whoWidth)}${more}`);
    },
  };
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.replaceAll(/\s+/g, ' ').split(' ')) {
    if (current !== '' && current.length + 1 + word.length > textWidth) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current];
}
