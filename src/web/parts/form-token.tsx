import type { Session } from '../../ledger/index.ts';

/** Goes into every form of somebody signed in; see `guard/visits.ts`. */
export function FormToken({ session }: { readonly session: Session }) {
  return <input type="hidden" name="form_token" value={session.formToken} />;
}
