import { caps, type Request, type Session } from '../../../ledger/index.ts';
import { AgentBlock, OutsideText } from '../../parts/agent-text.tsx';
import { FormToken } from '../../parts/form-token.tsx';
import { Link } from '../../parts/safe-link.tsx';

/** What a person had already written when an answer did not go through. */
export interface Draft {
  readonly text: string;
  readonly fault: string | null;
}

export const emptyDraft: Draft = { text: '', fault: null };

/** Answer here. Plain forms: they work without scripts. */
export function AnswerForm(props: { readonly request: Request; readonly session: Session; readonly draft: Draft }) {
  return (
    <section id="answer" class="answer" aria-labelledby="answer-heading">
      <h2 id="answer-heading" class="unseen">
        Your answer
      </h2>
      {props.request.extended === null ? null : (
        <p class="hint">
          The agent wrote more than this:{' '}
          <Link to={`/requests/${props.request.id}#extended`}>read the detail below</Link>.
        </p>
      )}
      {props.draft.fault === null ? null : (
        <p id="answer-fault" class="notice notice-bad" role="alert">
          {props.draft.fault}
        </p>
      )}
      {props.request.kind === 'steering' ? <Steering {...props} /> : <YesOrNo {...props} />}
    </section>
  );
}

function YesOrNo({
  request,
  session,
  draft,
}: {
  readonly request: Request;
  readonly session: Session;
  readonly draft: Draft;
}) {
  return (
    <form method="post" action={`/requests/${request.id}`} class="answer-form">
      <FormToken session={session} />
      <NoEnter />
      <Words
        label="Words for the agent (optional)"
        hint="A reason helps the agent to change course."
        draft={draft}
        rows={2}
      />
      {request.dangerLevel === 'high' ? (
        <label class="sure">
          <input type="checkbox" name="sure" value="yes" required />
          <span>High danger: I have read what this does and mean to approve it.</span>
        </label>
      ) : null}
      <div class="buttons">
        <button type="submit" name="choice" value="approve" class="button button-yes">
          Approve
        </button>
        <button type="submit" name="choice" value="deny" class="button button-no" formNoValidate>
          Deny
        </button>
      </div>
    </form>
  );
}

function Steering({
  request,
  session,
  draft,
}: {
  readonly request: Request;
  readonly session: Session;
  readonly draft: Draft;
}) {
  const action = `/requests/${request.id}`;
  return (
    <>
      {request.options.length === 0 ? null : (
        <form method="post" action={action}>
          <FormToken session={session} />
          <AgentBlock label="Choices written by the agent: tap one to answer">
            <ol class="options">
              {request.options.map((option, index) => (
                <li>
                  <button type="submit" name="choice" value={`option:${index}`} class="option">
                    <span class="option-number" aria-hidden="true">
                      {index + 1}
                    </span>
                    <span class="option-label">
                      <span class="unseen">{`Option ${index + 1}: `}</span>
                      <OutsideText text={option.label} />
                    </span>
                    {option.recommended ? <span class="option-star">★ recommended</span> : null}
                  </button>
                </li>
              ))}
            </ol>
          </AgentBlock>
        </form>
      )}
      <form method="post" action={action} class="answer-form">
        <FormToken session={session} />
        <Words
          label={request.options.length === 0 ? 'Your answer' : 'Or write what the agent should do'}
          hint="The agent gets your words as they are."
          draft={draft}
          rows={3}
        />
        <div class="buttons">
          <button type="submit" name="choice" value="text" class="button button-yes">
            Send answer
          </button>
        </div>
      </form>
    </>
  );
}

/** `maxlength` counts UTF-16 units and is only a first fence; the engine counts characters. */
function Words(props: { readonly label: string; readonly hint: string; readonly draft: Draft; readonly rows: number }) {
  const { draft } = props;
  return (
    <div class="field">
      <label for="words" class="label">
        {props.label}
      </label>
      <textarea
        id="words"
        name="text"
        rows={props.rows}
        maxLength={caps.words * 2}
        dir="auto"
        aria-describedby={draft.fault === null ? 'words-hint' : 'answer-fault words-hint'}
      >
        {draft.text}
      </textarea>
      <p id="words-hint" class="hint">
        {props.hint} Up to {caps.words.toLocaleString('en-GB')} characters.
      </p>
    </div>
  );
}

/** Enter submits a form by its first button (HTML standard, implicit submission); a disabled one means that it submits nothing. */
function NoEnter() {
  return <button type="submit" disabled hidden />;
}
