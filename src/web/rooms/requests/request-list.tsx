import type { Request, RequestDetail } from '../../../ledger/index.ts';
import type { Notice } from '../../guard/notices.ts';
import { AgentBlock, OutsideText } from '../../parts/agent-text.tsx';
import { Danger, InstanceLabel, Status } from '../../parts/badges.tsx';
import { Frame, type FrameFacts, FrameParts } from '../../parts/frame.tsx';
import { NoticeLine } from '../../parts/notice.tsx';
import { Link } from '../../parts/safe-link.tsx';
import { Age, TimeLeft } from '../../parts/times.tsx';
import { kindWords, toOutcomeLine } from '../../parts/words.ts';
import { toPagedText } from './copies.tsx';

export interface RequestLists {
  readonly pending: readonly Listed[];
  readonly settled: readonly Request[];
}

export interface Listed {
  readonly request: Request;
  /** Unknown for those far down a long list. */
  readonly pages: RequestDetail['pages'] | null;
}

const title = 'Requests';
const gistCut = 220;

export function RequestListPage(props: {
  readonly facts: FrameFacts;
  readonly lists: RequestLists;
  readonly titleOf: (channel: string) => string;
  readonly notice: Notice | null;
}) {
  return (
    <Frame
      facts={props.facts}
      room="requests"
      title={title}
      live={{ from: '/parts/requests', ids: ['pending', 'settled'], listen: 'open' }}
    >
      <NoticeLine notice={props.notice} />
      <Lists {...props} />
    </Frame>
  );
}

export function RequestListParts(props: {
  readonly facts: FrameFacts;
  readonly lists: RequestLists;
  readonly titleOf: (channel: string) => string;
}) {
  return (
    <FrameParts facts={props.facts} title={title}>
      <Lists {...props} />
    </FrameParts>
  );
}

function Lists(props: {
  readonly facts: FrameFacts;
  readonly lists: RequestLists;
  readonly titleOf: (channel: string) => string;
}) {
  const { pending, settled } = props.lists;
  const { now } = props.facts;
  return (
    <>
      <section id="pending" aria-labelledby="pending-heading">
        <h1 id="pending-heading" class="heading">
          {pending.length === 0 ? 'Nothing is waiting for you' : 'Waiting for an answer'}
        </h1>
        {pending.length === 0 ? (
          <p class="empty">When an agent needs a person, its request appears here by itself.</p>
        ) : (
          <ul class="cards">
            {pending.map((listed) => (
              <PendingCard listed={listed} now={now} titleOf={props.titleOf} />
            ))}
          </ul>
        )}
      </section>
      <section id="settled" aria-labelledby="settled-heading">
        <h2 id="settled-heading" class="heading heading-small">
          Recently settled
        </h2>
        {settled.length === 0 ? (
          <p class="empty">Nothing yet.</p>
        ) : (
          <ul class="rows">
            {settled.map((request) => (
              <SettledRow request={request} now={now} />
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function PendingCard(props: {
  readonly listed: Listed;
  readonly now: Date;
  readonly titleOf: (channel: string) => string;
}) {
  const { request, pages } = props.listed;
  return (
    <li class={`card card-${request.dangerLevel ?? 'plain'}`}>
      <p class="card-line">
        <span class="kind">{kindWords[request.kind]}</span>
        <Danger level={request.dangerLevel} />
        <InstanceLabel label={request.instanceLabel} />
        <TimeLeft until={request.expiresAt} now={props.now} />
      </p>
      <AgentBlock label="Written by the agent">
        <Link to={`/requests/${request.id}`} id={`open-${request.id}`} class="card-title">
          <OutsideText text={request.title} />
        </Link>
        <p class="card-gist">
          <OutsideText text={toCut(request.gist)} />
        </p>
      </AgentBlock>
      <p class="card-line card-foot">
        <span>
          Asked <Age at={request.createdAt} now={props.now} />
        </span>
        {pages === null ? null : <span>{toPagedText(pages, props.titleOf)}</span>}
      </p>
    </li>
  );
}

function SettledRow({ request, now }: { readonly request: Request; readonly now: Date }) {
  return (
    <li class="row">
      <div class="row-main">
        <AgentBlock label="Agent wrote" look="line">
          <Link to={`/requests/${request.id}`} id={`open-${request.id}`} class="row-title">
            <OutsideText text={request.title} />
          </Link>
        </AgentBlock>
        <p class="row-sub">
          <span>
            <bdi>{toOutcomeLine(request)}</bdi> · <Age at={request.settledAt ?? request.createdAt} now={now} />
          </span>
          <InstanceLabel label={request.instanceLabel} />
        </p>
      </div>
      <Status status={request.status} />
    </li>
  );
}

/** The beginning, by code points, on a few lines. */
function toCut(gist: string): string {
  const flat = gist.replaceAll(/\s*\n\s*/g, ' ');
  const characters = [...flat];
  return characters.length <= gistCut ? flat : `${characters.slice(0, gistCut - 1).join('')}…`;
}
