import type { Entry } from '../../../ledger/index.ts';
import { OutsideText } from '../../parts/agent-text.tsx';
import { Clock } from '../../parts/times.tsx';
import { statusWords } from '../../parts/words.ts';

const kindWords: Readonly<Record<string, string>> = {
  'request.opened': 'Asked',
  'request.settled': 'Settled',
  'request.delivered': 'Result handed to the agent',
  'answer.refused': 'An answer was refused: that account may not answer',
};

/** What the ledger says of this request, oldest first. */
export function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <section id="entries" class="panel" aria-labelledby="entries-heading">
      <h2 id="entries-heading" class="panel-heading">
        Ledger
      </h2>
      <ol class="entries">
        {entries.map((entry) => (
          <li class="entry">
            <span class="entry-seq" title={`hash ${entry.hash}`}>
              {entry.seq}
            </span>
            <span>
              {toWhat(entry)}
              {toWho(entry)}
              <span class="fact-sub">
                <Clock at={entry.at} />
              </span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function toWhat({ kind, body }: Entry) {
  const status = textIn(parseBody(body), ['status']);
  const plain = kind.replaceAll(/[._]/g, ' ');
  const said = kindWords[kind] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
  const known = Object.entries(statusWords).find(([name]) => name === status)?.[1];
  return kind === 'request.settled' && known !== undefined ? known : said;
}

function toWho({ body }: Entry) {
  const fields = parseBody(body);
  const name = textIn(fields, ['by', 'displayName', 'instance']);
  const account = textIn(fields, ['account']);
  if (name === null && account === null) return null;
  return (
    <span class="entry-who">
      {' · '}
      <OutsideText text={name ?? ''} />
      {account === null ? null : <span class="account"> {account}</span>}
    </span>
  );
}

/** Entries hold canonical JSON; the outcome of a settled one may be nested. */
function parseBody(body: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body);
    if (!isRecord(parsed)) return {};
    const { outcome, instance } = parsed;
    return {
      ...parsed,
      ...(isRecord(outcome) ? outcome : {}),
      ...(isRecord(instance) ? { instance: instance.label } : {}),
    };
  } catch {
    return {}; // an entry of another version: its kind and time still show
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object';
}

function textIn(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}
