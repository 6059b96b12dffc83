import type { ComponentChildren } from 'preact';
import type { Session } from '../../ledger/index.ts';
import { Document } from './document.tsx';
import { FormToken } from './form-token.tsx';
import { Link } from './safe-link.tsx';

export type RoomName = 'requests' | 'channels' | 'settings';

/** What every page of somebody signed in shows around its room. */
export interface FrameFacts {
  readonly session: Session;
  /** At most 100; more are told as `99+`. */
  readonly pendingCount: number;
  readonly warnings: readonly string[];
  readonly now: Date;
  readonly urlOf: (file: 'app.css' | 'htmx.min.js' | 'live.js' | 'beckon.svg') => string;
}

/** How a page stays up to date: where its parts come from and which of them are exchanged, by element id. */
export interface LiveParts {
  readonly from: string;
  readonly ids: readonly string[];
  /** The request it shows; changes to copies of other requests are then none of its business. */
  readonly requestId?: string;
  /** `open`: also while the tab is in the background, for the count in its title. `seen`: a hidden tab holds no connection. */
  readonly listen: 'open' | 'seen' | 'never';
}

const rooms: readonly { readonly name: RoomName; readonly path: string; readonly title: string }[] = [
  { name: 'requests', path: '/', title: 'Requests' },
  { name: 'channels', path: '/channels', title: 'Channels' },
  { name: 'settings', path: '/settings', title: 'Settings' },
];

export function Frame(props: {
  readonly facts: FrameFacts;
  readonly room: RoomName;
  readonly title: string;
  readonly live: LiveParts;
  readonly children: ComponentChildren;
}) {
  const { facts, live } = props;
  return (
    <Document title={toTitle(facts.pendingCount, props.title)} urlOf={facts.urlOf} now={facts.now}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <div class="top-inner">
          <Link to="/" class="brand">
            <img src={facts.urlOf('beckon.svg')} alt="" width="26" height="26" />
            Beckon
          </Link>
          <nav class="rooms" aria-label="Rooms">
            {rooms.map((room) => (
              <Link to={room.path} class="room" current={room.name === props.room ? 'page' : undefined}>
                {room.title}
                {room.name === 'requests' ? <PendingCount count={facts.pendingCount} /> : null}
              </Link>
            ))}
          </nav>
          <div class="who">
            <span class="connection" id="connection" data-state="off" hidden />
            <form method="post" action="/sign-out" class="sign-out">
              <FormToken session={facts.session} />
              <span class="who-name">
                <bdi>{facts.session.displayName}</bdi>
              </span>
              <button type="submit" class="button button-quiet">
                Sign out
              </button>
            </form>
          </div>
        </div>
      </header>
      <main id="main" class="main">
        <Warnings warnings={facts.warnings} />
        {props.children}
      </main>
      <p id="announce" class="unseen" aria-live="polite" />
      <div
        id="live"
        hidden
        data-listen={live.listen}
        data-request={live.requestId}
        hx-get={live.from}
        hx-trigger="beckon:change"
        hx-swap="none"
        hx-sync="this:replace"
        hx-select-oob={['pending-count', 'warnings', ...live.ids].map((id) => `#${id}`).join(',')}
      />
    </Document>
  );
}

/** The changing parts alone, for a page that is already open. htmx takes the title only from the top level. */
export function FrameParts(props: {
  readonly facts: FrameFacts;
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <>
      <title>{toTitle(props.facts.pendingCount, props.title)}</title>
      <PendingCount count={props.facts.pendingCount} />
      <Warnings warnings={props.facts.warnings} />
      {props.children}
    </>
  );
}

function PendingCount({ count }: { readonly count: number }) {
  return (
    <span id="pending-count" class={count === 0 ? 'count count-none' : 'count'}>
      {count === 0 ? '' : toCountText(count)}
      {count === 0 ? null : <span class="unseen"> pending</span>}
    </span>
  );
}

function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  return (
    <section id="warnings" class="warnings" aria-label="Warnings">
      {warnings.map((warning) => (
        <p class="notice notice-warning">{warning}</p>
      ))}
    </section>
  );
}

function toTitle(count: number, title: string): string {
  return `${count === 0 ? '' : `(${toCountText(count)}) `}${title} · Beckon`;
}

function toCountText(count: number): string {
  return count >= 100 ? '99+' : String(count);
}
