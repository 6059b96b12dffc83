import { within } from '../waiting.ts';
import type { PressedBy } from './presses.ts';
import type { Web } from './web.ts';

const keepMs = 600_000;
const mostKept = 1_000;

/** The names people know each other by; a press carries only the handle. */
export type NameOf = (person: PressedBy) => Promise<string>;

/** Asks Slack once in ten minutes per person, and never holds an answer up for longer than `waitMs`: then the handle will do. */
export function createNames(deps: { readonly web: Web; readonly waitMs: number }): NameOf {
  const { web, waitMs } = deps;
  const known = new Map<string, { readonly name: Promise<string | null>; readonly at: number }>();

  const ask = async (id: string): Promise<string | null> => {
    try {
      const { user } = await web.call(5_000, (client) => client.users.info({ user: id }));
      return user?.profile?.display_name || user?.profile?.real_name || user?.real_name || null;
    } catch {
      // Without the users:read scope, or with Slack unwell, the handle is shown.
      return null;
    }
  };

  return async ({ id, handle }) => {
    const now = performance.now();
    let entry = known.get(id);
    if (entry === undefined || now - entry.at > keepMs) {
      if (known.size >= mostKept) known.clear();
      entry = { name: ask(id), at: now };
      known.set(id, entry);
    }
    return (await within(waitMs, entry.name))?.value ?? handle;
  };
}
