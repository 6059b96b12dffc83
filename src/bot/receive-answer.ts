import {
  type AnswerChoice,
  type BoardReply,
  faultOfWords,
  type Outcome,
  type Request,
  type Via,
} from '../ledger/index.ts';
import type { LedgerStore } from '../ledger/store/store.ts';
import type { Changes } from './changes.ts';
import { lateText } from './late-text.ts';
import type { Log } from './log.ts';

/** An answer from any surface, in the ledger's terms. */
export interface ReceivedAnswer {
  readonly requestId: string;
  readonly via: Via;
  /** `slack:U123`, `dashboard:ada`. */
  readonly account: string;
  readonly displayName: string;
  readonly choice: AnswerChoice;
  readonly text?: string;
  /** The platform's id of the event, kept with the decision. */
  readonly eventId?: string;
  /** Whether this account may answer here; judged by the caller on every press. */
  readonly mayAnswer: boolean;
}

/**
 * Judges an answer and, when the rules admit it, settles the request: the same for every surface. Never rejects.
 * The row decides who was first. Running twice with one event is harmless: the second is told that it has answered.
 */
export type ReceiveAnswer = (answer: ReceivedAnswer) => Promise<BoardReply>;

export function createReceiveAnswer(deps: {
  readonly store: LedgerStore;
  readonly clock: { now(): Date };
  readonly changes: Changes;
  readonly log: Log;
}): ReceiveAnswer {
  const { store, clock, changes, log } = deps;

  const judge = async (answer: ReceivedAnswer): Promise<BoardReply> => {
    const request = await store.findRequest(answer.requestId);
    if (request === null) return { fate: 'unknown', text: 'This request does not exist any more. Nothing happened.' };
    if (!answer.mayAnswer) return refuse(answer);
    if (request.status !== 'pending') return late(request, answer);
    const admitted = outcomeOf(answer, request);
    if (typeof admitted === 'string') return { fate: 'invalid', text: admitted };
    const settled = await store.settleRequest({
      requestId: request.id,
      outcome: admitted,
      at: clock.now(),
      when: 'in_time',
      decision: {
        choice: answer.choice.kind,
        optionIndex: answer.choice.kind === 'option' ? answer.choice.index : null,
        text: admitted.words,
        eventId: answer.eventId ?? null,
      },
    });
    if (settled.settled) {
      changes.publish({ kind: 'request', requestId: request.id, status: settled.request.status });
      return { fate: 'accepted', text: acceptedText(settled.request) };
    }
    return late(settled.request ?? request, answer);
  };

  const refuse = async (answer: ReceivedAnswer): Promise<BoardReply> => {
    const { account, displayName, via, choice } = answer;
    const body = { account, displayName, via, choice: choice.kind };
    await store.appendEntry({ requestId: answer.requestId, kind: 'answer.refused', body, at: clock.now() });
    changes.publish({ kind: 'request', requestId: answer.requestId });
    return {
      fate: 'refused',
      text: 'You are not on the list of people who may answer here. Nothing was decided; ask the owner of this Beckon to add you.',
    };
  };

  return async (answer) => {
    try {
      return await judge(answer);
    } catch (error) {
      log.error({ err: error, requestId: answer.requestId, via: answer.via }, 'an answer could not be recorded');
      return {
        fate: 'failed',
        text: 'Beckon could not record your answer: nothing was decided. Please try again in a moment.',
      };
    }
  };
}

function late(request: Request, answer: ReceivedAnswer): BoardReply {
  return { fate: 'late', text: lateText(request, answer.account) };
}

/** What the answer would settle the request as, or the sentence that says why it does not fit. */
function outcomeOf(answer: ReceivedAnswer, request: Request): Outcome | string {
  const text = answer.text?.trim() ?? '';
  const fault = text === '' ? null : faultOfWords(text);
  if (fault !== null) return `Your text ${fault}. Nothing was decided; please shorten or mend it and send it again.`;
  const person = { via: answer.via, by: answer.displayName, account: answer.account };
  const words = text === '' ? null : text;
  const { choice } = answer;
  switch (choice.kind) {
    case 'approve':
    case 'deny':
      if (request.kind === 'steering') return 'This asks for a choice: pick an option or write an answer.';
      return { status: choice.kind === 'approve' ? 'approved' : 'denied', words, chosenOption: null, ...person };
    case 'option': {
      const option = request.kind === 'steering' ? request.options[choice.index] : undefined;
      if (option === undefined) return 'There is no such option on this request. Nothing was decided.';
      return { status: 'answered', words: null, chosenOption: { label: option.label, index: choice.index }, ...person };
    }
    case 'text':
      if (request.kind !== 'steering')
        return 'A message does not answer this: press Approve or Deny. Nothing was decided.';
      if (words === null) return 'Your answer is empty. Nothing was decided; write what the agent should do.';
      return { status: 'answered', words, chosenOption: null, ...person };
  }
}

function acceptedText(request: Request): string {
  switch (request.status) {
    case 'approved':
      return 'Approved. The agent goes on.';
    case 'denied':
      return 'Denied. The agent is told.';
    default:
      return 'Thank you: your answer is on its way to the agent.';
  }
}
