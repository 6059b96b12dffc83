import { isDeepStrictEqual } from 'node:util';
import type { ChatButton, ChatMessage, ChatPerson, EmulatedChat } from '../emulator.ts';
import type { Act, ActAnswer } from './acts.ts';
import type { DemoAgent, ToolAnswer } from './agent.ts';
import { type Checks, waitFor } from './checks.ts';
import type { Transcript } from './transcript.ts';

export interface ActDeps {
  readonly chats: readonly EmulatedChat[];
  readonly agent: Pick<DemoAgent, 'call'>;
  readonly checks: Checks;
  readonly transcript: Transcript;
  readonly signal: AbortSignal;
}

const pagedWithinMs = 10_000;
const answeredWithinMs = 8_000;
const editedWithinMs = 8_000;

const titles = { slack: 'Slack', discord: 'Discord', telegram: 'Telegram' } as const;

/** Plays one act: the agent asks and blocks, people are paged, a stranger is refused, somebody answers (or nobody), all copies tell. */
export async function playAct(deps: ActDeps, act: Act): Promise<void> {
  const { chats, agent, checks, transcript, signal } = deps;
  const { title } = act.args;
  const { say } = transcript;
  const askedAt = performance.now();
  say('agent', `calls ${act.tool}: ${JSON.stringify(title)}, and blocks`);
  let outcome: ToolAnswer | Error | null = null;
  void agent.call(act.tool, act.args, { signal }).then(
    (answer) => {
      outcome = answer;
    },
    (error: unknown) => {
      outcome = error instanceof Error ? error : new Error(String(error));
    },
  );

  const paged = await Promise.all(
    chats.map((chat) =>
      checks.within(`${titles[chat.platform]} shows ${JSON.stringify(title)} with buttons`, pagedWithinMs, () =>
        openCopy(chat, title),
      ),
    ),
  );
  const places = chats.filter((_chat, index) => paged[index] !== null).map((chat) => titles[chat.platform]);
  say('Beckon', `paged ${inWords(places) || 'nobody'} in ${ms(askedAt)}`);

  let answerer: ChatPerson | null = null;
  if (act.answer !== null) {
    const chat = chats.find(({ platform }) => platform === act.answer?.place);
    if (chat === undefined) throw new Error(`there is no ${act.answer.place} on this stage`);
    await refuseStranger(deps, chat, title);
    checks.that(`the agent is still blocked on ${JSON.stringify(title)}`, outcome === null);
    answerer = await answerAs(deps, chat, title, act.answer);
  }

  const settledAt = performance.now();
  const got = await waitFor<ToolAnswer | Error>(answeredWithinMs, signal, () => outcome);
  checkResult(deps, act, got, answerer);
  if (got !== null) say('agent', `${act.answer === null ? 'got' : `got after ${ms(settledAt)}`}: ${textOf(got)}`);
  await checkCopies(deps, act, answerer, settledAt);
}

async function refuseStranger(deps: ActDeps, chat: EmulatedChat, title: string): Promise<void> {
  const { checks, transcript, signal } = deps;
  const stranger = chat.people.at(-1);
  const copy = openCopy(chat, title);
  const button = copy?.buttons.find((one) => one.look !== 'link');
  if (stranger === undefined || copy === null || button === undefined) return;
  const before = chat.privateNotes(stranger.id).length;
  await chat.press(stranger.id, copy.id, button.id);
  const note = await waitFor(3_000, signal, () => chat.privateNotes(stranger.id)[before] ?? null);
  const refused = note !== null && /not on the list|may not|not allowed/i.test(note);
  checks.that(`${stranger.name} is refused privately on ${titles[chat.platform]}`, refused, note ?? 'nothing');
  checks.that(`the press of ${stranger.name} decided nothing`, openCopy(chat, title) !== null);
  transcript.say(
    stranger.name,
    `presses ${button.label} on ${titles[chat.platform]} and is told, privately: ${note ?? 'nothing'}`,
  );
}

/** The usual approver presses, and writes where a form opens. */
async function answerAs(
  deps: ActDeps,
  chat: EmulatedChat,
  title: string,
  answer: ActAnswer,
): Promise<ChatPerson | null> {
  const { checks, transcript } = deps;
  const place = titles[chat.platform];
  const [person] = chat.people;
  const copy = openCopy(chat, title);
  const button = copy?.buttons.find((one) => answer.label.test(one.label)) ?? null;
  checks.that(`${place} offers a button like ${answer.label}`, button !== null, labels(copy?.buttons ?? []));
  if (person === undefined || copy === null || button === null) return null;
  transcript.say(person.name, `presses ${button.label} on ${place}`);
  await chat.press(person.id, copy.id, button.id);
  const { text } = answer;
  if (text === undefined) return person;
  const form = await checks.within(`a form opens for ${person.name} on ${place}`, 4_000, () =>
    chat.openForm(person.id),
  );
  if (form === null) return person;
  transcript.say(person.name, `writes in the form ${JSON.stringify(form.title)}: ${JSON.stringify(text)}`);
  await chat.submitForm(person.id, text);
  return person;
}

function checkResult(deps: ActDeps, act: Act, got: ToolAnswer | Error | null, answerer: ChatPerson | null): void {
  const { checks } = deps;
  const { title } = act.args;
  if (got === null || got instanceof Error) {
    checks.that(`the agent gets the result of ${JSON.stringify(title)}`, false, got?.message ?? 'nothing in time');
    return;
  }
  const { requestId, ...fields } = got.fields;
  const expected = {
    ...act.result,
    ...(act.answer === null || answerer === null ? {} : { resolvedVia: act.answer.place, resolvedBy: answerer.name }),
  };
  checks.that(
    'the result names its request',
    typeof requestId === 'string' && /^[\da-f-]{36}$/.test(requestId),
    String(requestId),
  );
  checks.that(
    `every field of the result of ${JSON.stringify(title)} is right`,
    !got.isError && isDeepStrictEqual(fields, expected),
    JSON.stringify(got.isError ? got.text : fields),
  );
  const told = answerer === null ? /timeout/ : new RegExp(answerer.name);
  checks.that('the text twin tells it as well', told.test(got.text), got.text);
}

/** Every copy: no button left, the outcome in words, who, where and when. */
async function checkCopies(deps: ActDeps, act: Act, answerer: ChatPerson | null, settledAt: number): Promise<void> {
  const { chats, checks, transcript } = deps;
  const { title } = act.args;
  const words = [
    ...act.outcomeWords,
    ...(answerer === null ? [] : [answerer.name]),
    ...(act.answer === null ? [] : [titles[act.answer.place]]),
  ];
  const checkCopy = async (chat: EmulatedChat): Promise<string | null> => {
    const place = titles[chat.platform];
    const settled = await checks.within(`the copy on ${place} has no button left`, editedWithinMs, () =>
      settledCopy(chat, title),
    );
    if (settled === null) return null;
    const text = settled.text.toLowerCase();
    const missing = words.filter((word) => !text.includes(word.toLowerCase()));
    const whole = checks.that(`the copy on ${place} says ${inWords(words)}`, missing.length === 0, settled.text);
    const timed = checks.that(`the copy on ${place} says when`, /\d{1,2}:\d{2}/.test(settled.text), settled.text);
    const shown = copies(chat, title).length;
    checks.that(`${place} has one message of ${JSON.stringify(title)}`, shown === 1, `${shown}`);
    checks.that(`the copy on ${place} is the first message, edited`, settled.edited);
    return whole && timed ? place : null;
  };
  const edited = (await Promise.all(chats.map(checkCopy))).filter((place) => place !== null);
  transcript.say(
    'Beckon',
    `edited the copies on ${inWords(edited) || 'nothing'}${act.answer === null ? '' : ` within ${ms(settledAt)}`}; ${outcomeLine(chats[0], title)}`,
  );
}

function copies(chat: EmulatedChat, title: string): readonly ChatMessage[] {
  return chat.messages().filter((message) => message.text.includes(title));
}

function openCopy(chat: EmulatedChat, title: string): ChatMessage | null {
  return copies(chat, title).findLast((message) => message.buttons.some(isAnswer)) ?? null;
}

function settledCopy(chat: EmulatedChat, title: string): ChatMessage | null {
  const copy = copies(chat, title).at(-1);
  return copy === undefined || copy.buttons.some(isAnswer) ? null : copy;
}

function isAnswer(button: ChatButton): boolean {
  return button.look !== 'link';
}

/** The line of the settled message that tells the outcome, to show what people read. */
function outcomeLine(chat: EmulatedChat | undefined, title: string): string {
  const copy = chat === undefined ? null : settledCopy(chat, title);
  const told = copy?.text.split('\n').find((line) => /\b(approved|denied|answered|chose|expired)\b/i.test(line));
  return told === undefined ? 'they tell no outcome' : `they say: ${told.trim()}`;
}

function textOf(got: ToolAnswer | Error): string {
  return got instanceof Error ? got.message : `[${String(got.fields.status ?? 'error')}] ${got.text}`;
}

function labels(buttons: readonly ChatButton[]): string {
  return buttons.map((button) => button.label).join(' | ');
}

function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function ms(since: number): string {
  return `${Math.round(performance.now() - since)} ms`;
}
