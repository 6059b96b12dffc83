import type { ComponentChildren } from 'preact';
import { Document } from '../../parts/document.tsx';
import type { FrameFacts } from '../../parts/frame.tsx';
import { Link } from '../../parts/safe-link.tsx';

type UrlOf = FrameFacts['urlOf'];

/** How to get in. */
export function SignInPage({ urlOf, goesTo }: { readonly urlOf: UrlOf; readonly goesTo: string }) {
  return (
    <Alone title="Sign in" urlOf={urlOf}>
      <h1 class="heading">Sign in</h1>
      <p>You get in with a one-time link. There is no password.</p>
      <ol class="steps">
        <li>
          The server prints a link when it starts. For another one, in Beckon’s folder on its machine:
          <pre class="command">node bin/beckon.js members sign-in owner</pre>
        </li>
        <li>Open the link in this browser. It works once, for 15 minutes.</li>
      </ol>
      {goesTo === '/' ? null : <p class="hint">You then come straight back to what you were about to open.</p>}
    </Alone>
  );
}

/** Looking at a link uses nothing up: previews and scanners open links too. Only the button does. */
export function UseLinkPage(props: { readonly urlOf: UrlOf; readonly token: string; readonly goesTo: string }) {
  return (
    <Alone title="Sign in" urlOf={props.urlOf}>
      <h1 class="heading">Sign in to Beckon</h1>
      <p>This link signs in the browser you press the button in, and no other after that.</p>
      <form method="post" action={`/sign-in/${encodeURIComponent(props.token)}`}>
        <input type="hidden" name="next" value={props.goesTo} />
        <button type="submit" class="button button-yes button-wide">
          Sign in
        </button>
      </form>
    </Alone>
  );
}

export function DeadLinkPage({ urlOf }: { readonly urlOf: UrlOf }) {
  return (
    <Alone title="Link not valid" urlOf={urlOf}>
      <h1 class="heading">This link does not work any more</h1>
      <p>It was used already, is older than 15 minutes, or was not copied whole. Nothing happened.</p>
      <p>
        <Link to="/sign-in" class="button button-yes button-wide">
          How to get another one
        </Link>
      </p>
    </Alone>
  );
}

/** A page outside the rooms: one card. */
export function Alone(props: { readonly title: string; readonly urlOf: UrlOf; readonly children: ComponentChildren }) {
  return (
    <Document title={`${props.title} · Beckon`} urlOf={props.urlOf}>
      <main class="alone">
        <p class="brand">
          <img src={props.urlOf('beckon.svg')} alt="" width="26" height="26" />
          Beckon
        </p>
        <div class="panel alone-card">{props.children}</div>
      </main>
    </Document>
  );
}
