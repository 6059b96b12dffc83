import type { CallFacts } from './tool-deps.ts';

/** Under the 60 s after which clients that cannot be kept alive by progress end a call. */
const shortWaitMs = 50_000;

/**
 * Clients that end a call at a limit no progress extends and no setting of ours can raise, by `clientInfo.name`.
 * Codex and Gemini CLI are not here: their limit is a setting, which connecting them raises.
 */
const hardLimits: readonly { readonly name: RegExp; readonly waitMs: number }[] = [
  { name: /^zed\b/i, waitMs: shortWaitMs },
  { name: /^claude[- ](ai|desktop)\b/i, waitMs: shortWaitMs },
  { name: /^windsurf\b/i, waitMs: shortWaitMs },
  { name: /copilot.*cli|^copilot-cli\b/i, waitMs: 150_000 },
  { name: /^cursor\b/i, waitMs: 240_000 },
];

/** How long a call may block: no progress token means nothing keeps the client from giving up, so the call ends first. */
export function defaultWaitLimit({ hasProgressToken, clientName }: CallFacts): number | null {
  if (!hasProgressToken) return shortWaitMs;
  const known = hardLimits.find(({ name }) => clientName !== undefined && name.test(clientName));
  return known?.waitMs ?? null;
}
