import type { RequestDetail } from '../../../ledger/index.ts';

type Copy = RequestDetail['pages'][number];

const stateWords: Readonly<Record<Copy['state'], string>> = {
  waiting: 'Waiting to be sent',
  shown: 'Shown, up to date',
  behind: 'Shows an older state, being edited',
  failed: 'Failed, being tried again',
};

/** Every copy of the request in the chats and what it shows. */
export function Copies(props: { readonly pages: readonly Copy[]; readonly titleOf: (channel: string) => string }) {
  return (
    <section id="copies" class="panel" aria-labelledby="copies-heading">
      <h2 id="copies-heading" class="panel-heading">
        Copies
      </h2>
      {props.pages.length === 0 ? (
        <p class="empty">Only this page: no chat was paged.</p>
      ) : (
        <ul class="facts">
          {props.pages.map((page) => (
            <li class="fact">
              <span class={`dot dot-${page.state}`} aria-hidden="true" />
              <span class="fact-main">
                <strong>{props.titleOf(page.channel)}</strong> <bdi class="chat-id">{page.chatId}</bdi>
                <span class="fact-sub">{stateWords[page.state]}</span>
                {page.detail === '' ? null : <span class="fact-sub fact-detail">{page.detail}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** `Paged on Slack and Telegram; Discord failed`. */
export function toPagedText(pages: readonly Copy[], titleOf: (channel: string) => string): string {
  const named = (states: readonly Copy['state'][]) => [
    ...new Set(pages.filter(({ state }) => states.includes(state)).map(({ channel }) => titleOf(channel))),
  ];
  const list = new Intl.ListFormat('en-GB');
  const [shown, waiting, failed] = [named(['shown', 'behind']), named(['waiting']), named(['failed'])];
  const said = [
    ...(shown.length === 0 ? [] : [`paged on ${list.format(shown)}`]),
    ...(waiting.length === 0 ? [] : [`being sent to ${list.format(waiting)}`]),
    ...(failed.length === 0 ? [] : [`${list.format(failed)} could not be reached`]),
  ].join('; ');
  return said === '' ? 'Only here: no chat was paged' : said.charAt(0).toUpperCase() + said.slice(1);
}
