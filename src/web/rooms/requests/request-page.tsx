import type { RequestDetail } from '../../../ledger/index.ts';
import type { Notice } from '../../guard/notices.ts';
import { AgentBlock, OutsideText, toPlainVisible } from '../../parts/agent-text.tsx';
import { Danger, InstanceLabel, Status } from '../../parts/badges.tsx';
import { Frame, type FrameFacts, FrameParts } from '../../parts/frame.tsx';
import { NoticeLine } from '../../parts/notice.tsx';
import { Link } from '../../parts/safe-link.tsx';
import { Age, TimeLeft } from '../../parts/times.tsx';
import { kindWords, statusWords } from '../../parts/words.ts';
import { AnswerForm, type Draft } from './answer-form.tsx';
import { Copies } from './copies.tsx';
import { Entries } from './entries.tsx';
import { OutcomePanel } from './outcome.tsx';

interface Shown {
  readonly facts: FrameFacts;
  readonly detail: RequestDetail;
  readonly titleOf: (channel: string) => string;
}

export function RequestPage(props: Shown & { readonly notice: Notice | null; readonly draft: Draft }) {
  const { facts, detail } = props;
  const { request } = detail;
  return (
    <Frame
      facts={facts}
      room="requests"
      title={toTitle(detail)}
      live={{
        from: `/parts/requests/${request.id}`,
        ids: ['state', 'answer', 'copies', 'entries'],
        requestId: request.id,
        listen: 'seen',
      }}
    >
      <p class="back">
        <Link to="/">← All requests</Link>
      </p>
      <NoticeLine notice={props.notice} />
      <div class="request">
        <article class="request-main">
          <State facts={facts} detail={detail} />
          <AgentBlock label="Written by the agent">
            <h1 class="request-title">
              <OutsideText text={request.title} />
            </h1>
            <div class="request-gist">
              <OutsideText text={request.gist} />
            </div>
          </AgentBlock>
          {request.status === 'pending' ? (
            <AnswerForm request={request} session={facts.session} draft={props.draft} />
          ) : (
            <OutcomePanel request={request} />
          )}
          {request.extended === null ? null : (
            <AgentBlock id="extended" label="Detail, written by the agent" look="code">
              <pre class="extended">
                <OutsideText text={request.extended} />
              </pre>
            </AgentBlock>
          )}
          {request.status === 'pending' || request.options.length === 0 ? null : <AskedOptions detail={detail} />}
        </article>
        <aside class="request-side">
          <Copies pages={detail.pages} titleOf={props.titleOf} />
          <Entries entries={detail.entries} />
        </aside>
      </div>
    </Frame>
  );
}

/** While it is pending the answer form is left alone: somebody may be writing in it. */
export function RequestParts({ facts, detail, titleOf }: Shown) {
  const { request } = detail;
  return (
    <FrameParts facts={facts} title={toTitle(detail)}>
      <State facts={facts} detail={detail} />
      {request.status === 'pending' ? null : <OutcomePanel request={request} />}
      <Copies pages={detail.pages} titleOf={titleOf} />
      <Entries entries={detail.entries} />
    </FrameParts>
  );
}

function State({ facts, detail }: { readonly facts: FrameFacts; readonly detail: RequestDetail }) {
  const { request } = detail;
  return (
    <p id="state" class="card-line request-state" data-status={request.status}>
      <span class="kind">{kindWords[request.kind]}</span>
      <Danger level={request.dangerLevel} />
      <Status status={request.status} />
      <InstanceLabel label={request.instanceLabel} />
      <span class="request-times">
        <span>
          Asked <Age at={request.createdAt} now={facts.now} />
        </span>
        {request.status === 'pending' ? <TimeLeft until={request.expiresAt} now={facts.now} /> : null}
      </span>
    </p>
  );
}

/** What there was to choose from, once the buttons are gone. */
function AskedOptions({ detail: { request } }: { readonly detail: RequestDetail }) {
  return (
    <AgentBlock label="The choices, written by the agent">
      <ol class="asked-options">
        {request.options.map((option) => (
          <li>
            <OutsideText text={option.label} />
            {option.recommended ? <span class="option-star"> ★ recommended</span> : null}
          </li>
        ))}
      </ol>
    </AgentBlock>
  );
}

function toTitle({ request }: RequestDetail): string {
  const title = toPlainVisible(request.title);
  return request.status === 'pending' ? title : `${statusWords[request.status]}: ${title}`;
}
