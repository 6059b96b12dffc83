import type { FrameFacts } from '../../parts/frame.tsx';
import { Link } from '../../parts/safe-link.tsx';
import { Alone } from '../sign-in/sign-in-page.tsx';

export interface Fault {
  readonly status: number;
  readonly headline: string;
  readonly message: string;
  /** In the log beside the cause. */
  readonly id?: string;
}

export function ErrorPage({ fault, urlOf }: { readonly fault: Fault; readonly urlOf: FrameFacts['urlOf'] }) {
  return (
    <Alone title={fault.headline} urlOf={urlOf}>
      <p class="hint">{fault.status}</p>
      <h1 class="heading">{fault.headline}</h1>
      <p>{fault.message}</p>
      {fault.id === undefined ? null : (
        <p class="hint">
          Error <code>{fault.id}</code>: the server's log says more under this id.
        </p>
      )}
      <p>
        <Link to="/" class="button button-wide">
          See all requests
        </Link>
      </p>
    </Alone>
  );
}
