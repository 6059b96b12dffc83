import type { Request } from '../../../ledger/index.ts';
import { AgentBlock, OutsideText } from '../../parts/agent-text.tsx';
import { Clock } from '../../parts/times.tsx';
import { toOutcomeLine } from '../../parts/words.ts';

/** How it ended: what, who, where, when, and their words. */
export function OutcomePanel({ request }: { readonly request: Request }) {
  const { outcome } = request;
  return (
    <section id="answer" class={`outcome outcome-${request.status}`} aria-labelledby="outcome-heading">
      <h2 id="outcome-heading" class="outcome-line">
        <bdi>{toOutcomeLine(request)}</bdi>
      </h2>
      <p class="fact-sub">
        <Clock at={request.settledAt ?? request.expiresAt} />
        {request.deliveredAt === null ? ' · not yet collected by the agent' : ' · the agent has the result'}
      </p>
      {outcome?.chosenOption ? (
        <AgentBlock label={`Option ${outcome.chosenOption.index + 1}, written by the agent`}>
          <OutsideText text={outcome.chosenOption.label} />
        </AgentBlock>
      ) : null}
      {outcome?.words ? (
        <AgentBlock label={outcome.by ? 'Written by the person who answered' : 'Written by the agent'}>
          <OutsideText text={outcome.words} />
        </AgentBlock>
      ) : null}
    </section>
  );
}
