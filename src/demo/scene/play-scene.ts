import { answeredActs, expiringAct } from './acts.ts';
import { createChecks } from './checks.ts';
import { agentLabel } from './environments.ts';
import { playAct } from './play-act.ts';
import type { Stage } from './stage.ts';
import { createTranscript } from './transcript.ts';

/** Life of a request in the last act: long enough to page everybody, short enough to watch. */
const shortTtlSeconds = 3;

/** The whole scene, without a browser. Prints the transcript; true when everything held. */
export async function playScene(deps: {
  readonly stage: Stage;
  readonly out: (text: string) => void;
  readonly signal: AbortSignal;
}): Promise<boolean> {
  const { stage, out, signal } = deps;
  const { chats, agent } = stage;
  const startedAt = performance.now();
  const transcript = createTranscript(out);
  const checks = createChecks({ signal });
  const act = { chats, agent, checks, transcript, signal };
  transcript.line(
    `The agent ${agentLabel} talks to ${stage.serverUrl.origin} over stdio; people sit in three emulated chats.`,
  );

  for (const [index, one] of answeredActs.entries()) {
    if (signal.aborted) break;
    transcript.act(index + 1, one.heading);
    await playAct(act, one);
  }
  if (!signal.aborted) {
    transcript.act(answeredActs.length + 1, expiringAct.heading);
    const from = performance.now();
    await stage.restartServer({ ttlSeconds: shortTtlSeconds });
    const took = Math.round(performance.now() - from);
    transcript.say(
      'Beckon',
      `restarts in ${took} ms; requests now live ${shortTtlSeconds} s; the agent's process stays`,
    );
    await playAct(act, expiringAct);
  }

  for (const chat of chats) {
    const broken = chat.violations();
    checks.that(`nothing broke a rule of ${chat.platform}`, broken.length === 0, broken.join('; '));
  }
  if (signal.aborted) checks.that('the scene was played to its end', false, 'it was stopped or took too long');
  const failures = checks.failures();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  transcript.line();
  if (failures.length === 0) {
    const copies = (answeredActs.length + 1) * chats.length;
    transcript.line(
      `All well: ${answeredActs.length + 1} requests on ${copies} copies, all ${checks.held()} checks held, ${seconds} s.`,
    );
    return true;
  }
  for (const failure of failures) transcript.line(`   FAILED  ${failure}`);
  for (const line of stage.lastLines()) transcript.line(`   log     ${line}`);
  transcript.line(`${failures.length} of ${failures.length + checks.held()} checks failed, ${seconds} s.`);
  return false;
}
