import type { AgentConsole } from './agent-console.ts';
import { ChatPane, looks } from './chat-pane.tsx';
import type { ChatView } from './chat-view.ts';
import { ConsolePane } from './console-pane.tsx';

/** In the order of the cascade: what a narrow screen changes comes last. */
const sheets = ['frame', 'chat', 'forms', 'slack', 'discord', 'telegram', 'console', 'narrow'];

/** The whole page: the agent beside the three chats. On a narrow screen one of them at a time. */
export function DemoPage(props: {
  readonly views: readonly ChatView[];
  readonly console: AgentConsole;
  readonly agentLabel: string;
  readonly now: Date;
}) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>Beckon demo</title>
        <link rel="icon" type="image/svg+xml" href="/demo.svg" />
        {sheets.map((sheet) => (
          <link rel="stylesheet" href={`/${sheet}.css`} />
        ))}
        <script src="/demo.js" defer />
      </head>
      <body data-tab="agent">
        <header class="top">
          <h1>
            <img src="/demo.svg" alt="" width="28" height="28" /> Beckon <small>demo</small>
          </h1>
          <p class="about">
            An agent asks and blocks. Answer in any chat: the first answer settles it everywhere. The people and
            platforms are emulated; the server, Bolt, discord.js, telegraf and the MCP client are real.
          </p>
          <form method="post" action="/dashboard" target="_blank" rel="noopener">
            <button type="submit" class="dashboard">
              Dashboard <span aria-hidden="true">↗</span>
            </button>
          </form>
        </header>
        <div class="tabs" role="tablist" aria-label="What to look at">
          <Tab name="agent" label="Agent" open={0} selected />
          {props.views.map((view) => (
            <Tab name={view.platform} label={looks[view.platform].title} open={view.open} />
          ))}
        </div>
        <main class="panes">
          <ConsolePane console={props.console} label={props.agentLabel} now={props.now} />
          {props.views.map((view) => (
            <ChatPane view={view} />
          ))}
        </main>
        <p class="lost" role="status" hidden>
          The demo does not answer. Is it still running?
        </p>
      </body>
    </html>
  );
}

function Tab(props: {
  readonly name: string;
  readonly label: string;
  readonly open: number;
  readonly selected?: true;
}) {
  return (
    <button
      type="button"
      role="tab"
      id={`tab-${props.name}`}
      aria-controls={`pane-${props.name}`}
      aria-selected={props.selected === true}
      data-act="tab"
      data-tab={props.name}
    >
      {props.label}
      <span class="open-count" data-open={props.name} hidden={props.open === 0}>
        {props.open}
      </span>
    </button>
  );
}
