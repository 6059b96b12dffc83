import type { AgentConsole, ConsoleEntry } from './agent-console.ts';
import { askKinds } from './asks.ts';
import { clockTime } from './time.tsx';

/** The agent's side: what it may ask, that it is blocked, and what it sees of its calls. */
export function ConsolePane(props: { readonly console: AgentConsole; readonly label: string; readonly now: Date }) {
  return (
    <section class="pane console" id="pane-agent" data-testid="pane-agent" aria-label="The agent's console">
      <div class="titlebar">
        <h2>Agent</h2>
        <code class="instance">{props.label}</code>
      </div>
      <div data-part="state">
        <ConsoleState console={props.console} now={props.now} />
      </div>
      <div class="log" data-part="log" role="log" aria-label="What the agent sees">
        <ConsoleLog console={props.console} />
      </div>
    </section>
  );
}

/** The buttons, or the call that the agent is blocked on. */
export function ConsoleState({ console, now }: { readonly console: AgentConsole; readonly now: Date }) {
  const blocked = console.blockedOn();
  return (
    <>
      <div class="asks">
        {askKinds.map(({ kind, label, about }) => (
          <button type="button" class="ask" data-act="ask" data-kind={kind} disabled={blocked !== null}>
            <b>{label}</b>
            <small>{about}</small>
          </button>
        ))}
      </div>
      {blocked === null ? (
        <p class="idle" data-testid="agent-state">
          The agent works. It asks when it needs a person.
        </p>
      ) : (
        <div class="blocked" data-testid="agent-state">
          <p class="blocked-line">
            <span class="pulse" aria-hidden="true" />
            <b>Blocked, waiting for a person</b>
          </p>
          <p class="blocked-on">
            <code>{blocked.tool}</code> {blocked.title}
          </p>
          <p class="blocked-acts">
            <button type="button" class="withdraw" data-act="withdraw">
              Give the call up
            </button>
            <span class="elapsed" data-since={blocked.since.getTime()} aria-hidden="true">
              {elapsed(now.getTime() - blocked.since.getTime())}
            </span>
          </p>
        </div>
      )}
    </>
  );
}

export function ConsoleLog({ console }: { readonly console: AgentConsole }) {
  const entries = console.entries();
  if (entries.length === 0) {
    return <p class="empty">No call yet. Press a button above, then answer in any of the chats.</p>;
  }
  return (
    <ol>
      {entries.map((entry) => (
        <li class={`entry entry-${entry.kind}`} data-testid={`entry-${entry.kind}`}>
          <Entry entry={entry} />
        </li>
      ))}
    </ol>
  );
}

function Entry({ entry }: { readonly entry: ConsoleEntry }) {
  const at = <time dateTime={entry.at.toISOString()}>{clockTime(entry.at)}</time>;
  switch (entry.kind) {
    case 'call':
      return (
        <>
          <p class="entry-head">
            {at} <span class="arrow">→</span> <b>{entry.tool}</b>
          </p>
          <details data-keep={entry.id}>
            <summary>{String(entry.args.title)}</summary>
            <pre>{JSON.stringify(entry.args, null, 2)}</pre>
          </details>
        </>
      );
    case 'progress':
      return (
        <p class="entry-head">
          {at} <span class="arrow">⋯</span> {entry.text}
        </p>
      );
    case 'result': {
      const { answer } = entry;
      const failed = answer.isError || ['denied', 'expired', 'cancelled'].includes(String(answer.fields.status));
      return (
        <>
          <p class={failed ? 'entry-head no' : 'entry-head yes'}>
            {at} <span class="arrow">←</span> <b>{String(answer.fields.status ?? 'error')}</b> after{' '}
            {(entry.waitedMs / 1_000).toFixed(1)} s
          </p>
          <p class="twin">{answer.text}</p>
          {answer.isError ? null : <pre data-testid="result-fields">{JSON.stringify(answer.fields, null, 2)}</pre>}
        </>
      );
    }
    case 'withdrawn':
      return (
        <p class="entry-head no">
          {at} <span class="arrow">×</span> gave the call up; the request is withdrawn
        </p>
      );
    case 'failed':
      return (
        <p class="entry-head no">
          {at} <span class="arrow">!</span> {entry.text}
        </p>
      );
  }
}

function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
