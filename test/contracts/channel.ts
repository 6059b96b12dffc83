import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type {
  Answer,
  AnswerReply,
  Channel,
  ChannelAddress,
  ChannelHandlers,
  ChannelState,
  Receipt,
} from '../../src/channels/contract.ts';
import { SendError } from '../../src/channels/contract.ts';
import type { Page, PageOutcome } from '../../src/channels/page.ts';
import { toVisible } from '../../src/channels/visible-text.ts';
import type { ChatMessage, EmulatedChat } from '../../src/demo/emulator.ts';

/** What the suite needs of one platform: the real adapter against the strict emulator. */
export interface ChannelHarness {
  start(): Promise<ChannelWorld>;
  /** An adapter whose token the same emulator refuses; retries shortened. */
  withWrongToken(world: ChannelWorld): Channel;
}

export interface ChannelWorld {
  readonly chat: EmulatedChat;
  readonly channel: Channel;
  readonly address: ChannelAddress;
  /** Removes a message, as a person with the right to does. */
  deleteMessage(messageId: string): void;
  /** Whom agent-written text notified. */
  pings(): readonly unknown[];
  stop(): Promise<void>;
}

/** The channel contract, run on every adapter. */
export function describeChannel(name: string, harness: ChannelHarness): void {
  describe(`${name} keeps the channel contract`, () => {
    it('shows a page whole, with its buttons', async () => {
      const { chat, channel, address } = await connect(harness);
      await channel.send(
        steering({
          danger: 'medium',
          detailUrl: 'https://beckon.example.com/requests/1',
          hasExtended: true,
          notes: ['seen by nobody yet'],
        }),
        address,
      );
      const message = only(chat);
      for (const text of [
        'seen by nobody yet',
        'shop · main',
        'Which retry strategy?',
        'The upstream answers 503.',
        'medium danger',
        '1. Backoff with jitter',
        '2. Fixed 2 s',
      ]) {
        expect(message.text.toLowerCase()).toContain(text.toLowerCase());
      }
      expect(message.text).toMatch(/[★⭐]️? ?1\. Backoff with jitter/u);
      const labels = answering(message).map((button) => button.label);
      expect(labels).toHaveLength(3);
      expect(labels[0]).toContain('1 · Backoff');
      expect(labels.at(-1)).toContain('Write…');
      expect(message.buttons.some((button) => button.url === 'https://beckon.example.com/requests/1')).toBe(true);
      expect(chat.violations()).toEqual([]);
    });

    it('offers Approve, Deny and Deny with reason on a permission', async () => {
      const { chat, channel, address } = await connect(harness);
      await channel.send(permission(), address);
      expect(answering(only(chat)).map((button) => button.label)).toEqual(['Approve', 'Deny', 'Deny with reason…']);
    });

    it.each(['low', 'medium', 'high'] as const)('says in words that the danger is %s', async (danger) => {
      const { chat, channel, address } = await connect(harness);
      await channel.send(permission({ danger }), address);
      expect(only(chat).text.toLowerCase()).toContain(`${danger} danger`);
    });

    it('keeps its buttons when a pending page changes', async () => {
      const { chat, channel, address } = await connect(harness);
      const receipt = await channel.send(permission(), address);
      const before = only(chat).buttons;
      await channel.update(receipt, permission({ notes: ['1 of 2 (Ada)'] }));
      expect(only(chat).text).toContain('1 of 2 (Ada)');
      expect(only(chat).buttons.map((button) => button.label)).toEqual(before.map((button) => button.label));
      expect(chat.violations()).toEqual([]);
    });

    it.each(outcomes)('edits every trace of a button away: $outcome.status $name', async ({ outcome, page, words }) => {
      const { chat, channel, address } = await connect(harness);
      const receipt = await channel.send(page, address);
      const settled = await channel.update(receipt, { ...page, outcome });
      await channel.update(settled, { ...page, outcome });
      const message = only(chat);
      expect(answering(message)).toEqual([]);
      for (const word of [...words, page.title]) expect(message.text.toLowerCase()).toContain(word.toLowerCase());
      expect(message.text).toMatch(/\d{1,2}:\d{2}/);
      expect(chat.violations()).toEqual([]);
    });

    it.each(hostile)('shows hostile text verbatim and pings nobody: $name', async ({ text }) => {
      const world = await connect(harness);
      const { chat, channel, address } = world;
      const line = text.replaceAll('\n', ' ');
      const page = steering({
        title: line.slice(0, 200),
        gist: text,
        instanceLabel: line.slice(0, 60),
        options: [{ label: line.slice(0, 200), recommended: false }],
      });
      const receipt = await channel.send(page, address);
      const shown = toVisible(text);
      expect(squeeze(whole(chat))).toContain(squeeze(shown));
      await channel.update(receipt, { ...page, outcome: { ...approvedBy, status: 'answered', words: text } });
      expect(squeeze(whole(chat)).split(squeeze(shown)).length - 1).toBeGreaterThanOrEqual(2);
      expect(world.pings()).toEqual([]);
      expect(chat.violations()).toEqual([]);
    });

    it.each([
      ['letters', 'x'],
      ['characters that need escaping', '&'],
      ['asterisks', '*'],
      ['Chinese', '汉'],
      ['rockets, each two UTF-16 units', '🚀'],
    ])('a page of the largest size arrives whole, in %s', async (_name, character) => {
      const world = await connect(harness);
      const { chat, channel, address } = world;
      const of = (count: number, tail: string) => character.repeat(count - tail.length) + tail;
      const options = [0, 1, 2, 3].map((index) => ({ label: of(200, `end${index}`), recommended: index === 2 }));
      const page = steering({ title: of(200, 'end-t'), gist: of(1_500, 'end-g'), options, danger: 'high' });
      const receipt = await channel.send(page, address);
      const shown = squeeze(whole(chat));
      for (const text of [page.title, ...options.map((option) => option.label)]) expect(shown).toContain(squeeze(text));
      expect(shown.split(character).length - 1).toBeGreaterThanOrEqual(195 + 1_495 + 4 * 196);
      await channel.update(receipt, page);
      await channel.update(receipt, {
        ...page,
        outcome: { ...approvedBy, status: 'answered', words: of(2_000, 'end-w') },
      });
      expect(chat.violations()).toEqual([]);
      expect(squeeze(whole(chat))).toContain(squeeze(page.title));
    });

    it('hands a press on with page, choice, account and event', async () => {
      const world = await connect(harness);
      const { chat, channel, address, answers } = world;
      await channel.send(steering({}), address);
      const message = only(chat);
      await chat.press(first(chat), message.id, answering(message)[1]?.id ?? '');
      await until(() => answers.length === 1);
      expect(answers[0]).toMatchObject({
        channel: chat.platform,
        pageToken: token,
        choice: { kind: 'option', index: 1 },
        account: { id: first(chat), displayName: chat.people[0]?.name },
      });
      expect(answers[0]?.eventId).not.toBe('');
      expect(Math.abs((answers[0]?.at.getTime() ?? 0) - Date.now())).toBeLessThan(5_000);
    });

    it('tells two presses of one button apart', async () => {
      const { chat, channel, address, answers } = await connect(harness);
      await channel.send(permission(), address);
      const message = only(chat);
      for (const _time of [1, 2]) await chat.press(first(chat), message.id, answering(message)[0]?.id ?? '');
      await until(() => answers.length === 2);
      expect(answers[0]?.choice).toEqual({ kind: 'approve' });
      expect(answers[1]?.eventId).not.toBe(answers[0]?.eventId);
    });

    it('passes a press on a page that is settled by now on, and tells who was first', async () => {
      const reply: AnswerReply = { fate: 'late', text: 'Too late: Grace denied this on Slack at 14:02 UTC.' };
      const { chat, channel, address, answers } = await connect(harness, { onAnswer: async () => reply });
      const receipt = await channel.send(permission(), address);
      const { id, buttons } = only(chat);
      await channel.update(receipt, { ...permission(), outcome: approvedBy });
      await chat.press(first(chat), id, buttons[0]?.id ?? '');
      await until(() => chat.privateNotes(first(chat)).some((note) => note.includes(reply.text)));
      expect(answers).toHaveLength(1);
      expect(answering(only(chat))).toEqual([]);
    });

    it('takes free text whole, 2,000 characters in the smallest unit any platform counts in', async () => {
      const { chat, channel, address, answers } = await connect(harness);
      await channel.send(steering({}), address);
      const words = `Do it — but *after* lunch <b>please</b> ${'🚀'.repeat(40)}`.padEnd(2_000, 'ж');
      await openForm(chat, 'Write…');
      await chat.submitForm(first(chat), words);
      await until(() => answers.length === 1);
      expect(answers[0]).toMatchObject({ choice: { kind: 'text' }, text: words, pageToken: token });
    });

    it('takes the reason of a denial', async () => {
      const { chat, channel, address, answers } = await connect(harness);
      await channel.send(permission(), address);
      await openForm(chat, 'Deny with reason…');
      await chat.submitForm(first(chat), 'Not on a Friday.');
      await until(() => answers.length === 1);
      expect(answers[0]).toMatchObject({ choice: { kind: 'deny' }, text: 'Not on a Friday.', pageToken: token });
    });

    it('tells a refusal to that person alone', async () => {
      const reply: AnswerReply = { fate: 'refused', text: 'You are not on the list.' };
      const { chat, channel, address } = await connect(harness, {
        onAnswer: async () => reply,
        onCompose: async () => reply,
      });
      await channel.send(permission(), address);
      const [stranger, before] = [chat.people.at(-1)?.id ?? '', only(chat).text];
      for (const button of answering(only(chat))) await chat.press(stranger, only(chat).id, button.id);
      await until(() => chat.privateNotes(stranger).filter((note) => note.includes(reply.text)).length === 3);
      expect(chat.openForm(stranger)).toBeNull();
      expect(only(chat).text).toBe(before);
      expect(chat.people.slice(0, -1).flatMap((person) => chat.privateNotes(person.id))).toEqual([]);
    });

    it('acknowledges in time while an answer takes 5 s, and says nothing of success before', async () => {
      let release: (reply: AnswerReply) => void = () => {};
      const slow = new Promise<AnswerReply>((resolve) => (release = resolve));
      const { chat, channel, address, answers } = await connect(harness, { onAnswer: () => slow });
      await channel.send(permission(), address);
      const pressedAt = performance.now();
      const timer = setTimeout(() => release({ fate: 'late', text: 'Too late: Grace denied this.' }), 5_000);
      onTestFinished(() => clearTimeout(timer));
      await chat.press(first(chat), only(chat).id, answering(only(chat))[0]?.id ?? '');
      expect(performance.now() - pressedAt).toBeLessThan(3_500);
      expect(answers).toHaveLength(1);
      expect(everything(chat)).not.toMatch(/approved|failed|not responding/i);
      await slow;
      await until(() => everything(chat).includes('Too late: Grace denied this.'));
      expect(everything(chat)).not.toMatch(/failed|not responding/i);
    });

    it('says "gone" of a page whose message was deleted', async () => {
      const { chat, channel, address, deleteMessage } = await connect(harness);
      const receipt = await channel.send(permission(), address);
      deleteMessage(only(chat).id);
      const error = await channel.update(receipt, permission()).catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(SendError);
      expect((error as SendError).fate).toEqual({ kind: 'gone' });
    });

    it('posts and edits while its inbound side was never started', async () => {
      const world = await harness.start();
      onTestFinished(() => world.stop());
      const receipt: Receipt = await world.channel.send(permission(), world.address);
      await world.channel.update(receipt, { ...permission(), outcome: approvedBy });
      expect(answering(only(world.chat))).toEqual([]);
      expect(JSON.parse(JSON.stringify(receipt))).toEqual(receipt);
    });

    it('says in one line that a token is wrong, and lives', async () => {
      const world = await harness.start();
      const channel = harness.withWrongToken(world);
      onTestFinished(async () => {
        await channel.stop();
        await world.stop();
      });
      const states: ChannelState[] = [];
      channel.start({ ...silent, onState: (state) => states.push(state) });
      await until(() => states.some((state) => state.status === 'misconfigured'));
      const state = states.find((one) => one.status === 'misconfigured');
      expect(state?.detail).toMatch(/token/i);
      expect(state?.detail).not.toContain('\n');
      const error = await channel.send(permission(), world.address).catch((cause: unknown) => cause);
      expect((error as SendError).fate.kind).toBe('misconfigured');
      expect((await channel.check(world.address)).ok).toBe(false);
    });

    it('tells who it is and where it may post', async () => {
      const { channel, address } = await connect(harness);
      expect(await channel.check(address)).toMatchObject({ ok: true });
    });

    it('stops before it was ever started', async () => {
      const world = await harness.start();
      onTestFinished(() => world.stop());
      await world.channel.stop();
      await world.channel.stop();
    });

    it('stops quickly, twice, and hands nothing on afterwards', async () => {
      const { chat, channel, address, answers } = await connect(harness);
      await channel.send(permission(), address);
      const stoppedAt = performance.now();
      await channel.stop();
      await channel.stop();
      expect(performance.now() - stoppedAt).toBeLessThan(5_000);
      void chat.press(first(chat), only(chat).id, answering(only(chat))[0]?.id ?? '').catch(() => {});
      expect(answers).toEqual([]);
    });
  });
}

const token = 'AbCdEf0123456789_-xyzQ';

function page(parts: Partial<Page>): Page {
  return {
    token,
    kind: 'permission',
    instanceLabel: 'shop · main',
    title: 'Run the migration?',
    gist: 'It adds a column to orders.',
    options: [],
    hasExtended: false,
    askedAt: new Date(),
    expiresAt: new Date(Date.now() + 3_600_000),
    notes: [],
    ...parts,
  };
}

const permission = (parts: Partial<Page> = {}) => page(parts);

function steering(parts: Partial<Page>): Page {
  const options = [
    { label: 'Backoff with jitter', recommended: true },
    { label: 'Fixed 2 s', recommended: false },
  ];
  return page({
    kind: 'steering',
    title: 'Which retry strategy?',
    gist: 'The upstream answers 503.',
    options,
    ...parts,
  });
}

const approvedBy: PageOutcome = {
  status: 'approved',
  by: 'Ada Lovelace',
  via: 'dashboard',
  at: new Date('2026-12-01T10:02:00Z'),
};

const outcomes: readonly { name: string; outcome: PageOutcome; page: Page; words: readonly string[] }[] = [
  {
    name: 'by a person elsewhere',
    outcome: approvedBy,
    page: permission(),
    words: ['approved', 'Ada Lovelace', 'dashboard'],
  },
  {
    name: 'with a reason',
    outcome: { ...approvedBy, status: 'denied', words: 'Not on a *Friday*.' },
    page: permission(),
    words: ['denied', 'Not on a *Friday*.'],
  },
  {
    name: 'by an option',
    outcome: { ...approvedBy, status: 'answered', chosenOption: { index: 1, label: 'Fixed 2 s' } },
    page: steering({}),
    words: ['answered', 'Fixed 2 s', 'Ada Lovelace'],
  },
  {
    name: 'in free text',
    outcome: { ...approvedBy, status: 'answered', words: 'Ask <again> tomorrow' },
    page: steering({}),
    words: ['answered', 'Ask <again> tomorrow'],
  },
  { name: 'by nobody', outcome: { status: 'expired', at: new Date() }, page: permission(), words: ['expired'] },
  { name: 'by the agent', outcome: { status: 'cancelled', at: new Date() }, page: permission(), words: ['withdrawn'] },
];

const hostile = [
  {
    name: 'Markdown',
    text: '*bold* _it_ __u__ ~~s~~ `code` ```block``` # head > quote - item 1. x [a](https://evil.example) deploy api_v2',
  },
  {
    name: 'line starts of Markdown',
    text: '# head\n## two\n-# small\n> quote\n>>> all\n- item\n* item\n1. one\n\\* escaped',
  },
  { name: 'HTML', text: '<b>bold</b> & &amp; &lt; <script>alert(1)</script> <a href="https://evil.example">x</a>' },
  {
    name: 'pings',
    text: '<!channel> <!here> <@U0ADA> <!subteam^S1> @everyone @here <@1200000000000000001> <@&1> <#1> <https://evil.example|nice>',
  },
  { name: 'other tokens', text: '<t:1700000000:R> <:emoji:123> :smile: </cmd:1> ||spoiler|| <id:home>' },
  { name: 'hidden characters', text: 'safe\u202Egpj.exe a\u200Bb a\u2066b' },
  { name: 'scripts and emoji', text: 'Привет 汉字 עברית 👩‍👩‍👧‍👦 ❤️ 🏳️‍🌈 e\u0301' },
];

const silent: ChannelHandlers = {
  onAnswer: async () => ({ fate: 'accepted', text: 'Approved. The agent goes on.' }),
  onCompose: async () => null,
  findToken: async () => null,
  onState: () => {},
};

async function connect(harness: ChannelHarness, handlers: Partial<ChannelHandlers> = {}) {
  const world = await harness.start();
  onTestFinished(() => world.stop());
  const answers: Answer[] = [];
  const states: ChannelState[] = [];
  world.channel.start({
    ...silent,
    ...handlers,
    onAnswer(answer) {
      answers.push(answer);
      return (handlers.onAnswer ?? silent.onAnswer)(answer);
    },
    onState: (state) => states.push(state),
  });
  await until(() => states.at(-1)?.status === 'up');
  return { ...world, answers, states };
}

async function openForm(chat: EmulatedChat, label: string): Promise<void> {
  const message = only(chat);
  const button = message.buttons.find((one) => one.label.includes(label));
  await chat.press(first(chat), message.id, button?.id ?? '');
  await until(() => chat.openForm(first(chat)) !== null);
}

/** The one message that has been a page; prompts and continuations are others. */
function only(chat: EmulatedChat): ChatMessage {
  const pages = chat.messages().filter((message) => message.replyTo === undefined);
  const message = pages[0];
  if (message === undefined) throw new Error('expected a message');
  return message;
}

/** Every visible character of the chat. */
function whole(chat: EmulatedChat): string {
  return chat
    .messages()
    .map((message) => message.text)
    .join('\n');
}

/** The same and what each person alone sees. */
function everything(chat: EmulatedChat): string {
  return [whole(chat), ...chat.people.flatMap((person) => chat.privateNotes(person.id))].join('\n');
}

function answering(message: ChatMessage): ChatMessage['buttons'] {
  return message.buttons.filter((button) => button.look !== 'link');
}

function first(chat: EmulatedChat): string {
  return chat.people[0]?.id ?? '';
}

/** White space may be folded by a platform; nothing else may change. */
function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

async function until(condition: () => boolean): Promise<void> {
  await vi.waitFor(
    () => {
      if (!condition()) throw new Error(`not yet: ${condition}`);
    },
    { timeout: 10_000, interval: 10 },
  );
}
