import type { BoardChannel } from '../../../ledger/index.ts';
import { Frame, type FrameFacts, FrameParts } from '../../parts/frame.tsx';
import { Age } from '../../parts/times.tsx';

interface Shown {
  readonly facts: FrameFacts;
  readonly channels: readonly BoardChannel[];
}

const title = 'Channels';

const statusWords: Readonly<Record<BoardChannel['status'], string>> = {
  connecting: 'Connecting',
  up: 'Connected',
  down: 'Not connected, trying again',
  misconfigured: 'Set up wrongly',
};

export function ChannelsPage(shown: Shown) {
  return (
    <Frame
      facts={shown.facts}
      room="channels"
      title={title}
      live={{ from: '/parts/channels', ids: ['channels'], listen: 'seen' }}
    >
      <h1 class="heading">Channels</h1>
      <p class="lead">Where people are paged, and whether they can be reached there now. The dashboard always works.</p>
      <ChannelList {...shown} />
    </Frame>
  );
}

export function ChannelsParts(shown: Shown) {
  return (
    <FrameParts facts={shown.facts} title={title}>
      <ChannelList {...shown} />
    </FrameParts>
  );
}

function ChannelList({ facts, channels }: Shown) {
  if (channels.length === 0) {
    return (
      <section id="channels">
        <p class="empty">
          No chat is set up: this dashboard is the only place where requests show. Set a chat's token and address in the
          environment of the server and start it again; the README has them all.
        </p>
      </section>
    );
  }
  return (
    <section id="channels">
      <ul class="cards">
        {channels.map((channel) => (
          <ChannelCard channel={channel} now={facts.now} />
        ))}
      </ul>
    </section>
  );
}

function ChannelCard({ channel, now }: { readonly channel: BoardChannel; readonly now: Date }) {
  return (
    <li class="card channel">
      <h2 class="channel-title">{channel.title}</h2>
      <p class="channel-state">
        <span class={`dot dot-${channel.status}`} aria-hidden="true" />
        {statusWords[channel.status]}
        <span class="fact-sub">
          changed <Age at={channel.since} now={now} />
        </span>
      </p>
      {channel.detail === '' ? null : <p class="channel-detail">{channel.detail}</p>}
      <dl class="pairs">
        <dt>Address</dt>
        <dd>
          <bdi class="chat-id">{channel.chatId}</bdi>
        </dd>
        <dt>May answer there</dt>
        <dd>{toApproverText(channel.approvers)}</dd>
      </dl>
      {channel.approvers > 0 ? null : (
        <p class="notice notice-warning">
          Nobody may answer there: set <code>BECKON_{channel.name.toUpperCase()}_APPROVERS</code> to the account ids of
          the people who may.
        </p>
      )}
    </li>
  );
}

function toApproverText(count: number): string {
  if (count === 0) return 'Nobody';
  return count === 1 ? '1 account' : `${count} accounts`;
}
