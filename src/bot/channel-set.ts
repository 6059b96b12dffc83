import type { Channel, ChannelAddress, ChannelState } from '../channels/contract.ts';
import type { BoardChannel } from '../ledger/index.ts';
import type { Changes } from './changes.ts';
import type { Log } from './log.ts';

/** A configured channel: the adapter, where its pages go and who may answer there. */
export interface ConfiguredChannel {
  readonly channel: Channel;
  readonly address: ChannelAddress;
  /** Platform account ids; empty = nobody may. */
  readonly approvers: readonly string[];
}

/** The channels of this process and what is known of their connections. */
export interface ChannelSet {
  readonly byName: ReadonlyMap<string, Channel>;
  mayAnswer(channel: string, accountId: string): boolean;
  titleOf(channel: string): string;
  report(channel: string, state: ChannelState): void;
  /** How the last send or edit went; null: well. */
  noteSend(channel: string, fault: string | null): void;
  states(): readonly BoardChannel[];
  /** One sentence for each channel on which nobody may answer, or which is not up for a reason of ours. */
  warnings(): readonly string[];
}

export function createChannelSet(deps: {
  readonly configured: readonly ConfiguredChannel[];
  readonly changes: Changes;
  readonly clock: { now(): Date };
  readonly log: Log;
}): ChannelSet {
  const { configured, changes, clock, log } = deps;
  const states = new Map<string, ChannelState>();
  const faults = new Map<string, { readonly text: string; readonly at: Date }>();
  const find = (name: string) => configured.find(({ channel }) => channel.info.name === name);
  const startedAt = clock.now();

  /** As people should see it: a channel whose connection stands but whose pages fail is not well. */
  const stateOf = (name: string): Omit<ChannelState, 'at'> & { readonly since: Date } => {
    const { status, detail, at } = states.get(name) ?? { status: 'connecting', detail: '', at: startedAt };
    const fault = faults.get(name);
    if (status !== 'up' || fault === undefined) return { status, detail, since: at };
    return { status: 'down', detail: `pages cannot be shown: ${fault.text}`, since: fault.at };
  };

  return {
    byName: new Map(configured.map(({ channel }) => [channel.info.name, channel])),
    mayAnswer: (name, accountId) => find(name)?.approvers.includes(accountId) ?? false,
    titleOf: (name) => find(name)?.channel.info.title ?? name,
    report(name, state) {
      const before = states.get(name);
      if (before?.status === state.status && before.detail === state.detail) return;
      states.set(name, state);
      const line = `${name} is ${state.status}${state.detail === '' ? '' : `: ${state.detail}`}`;
      if (state.status === 'misconfigured') log.error({ channel: name }, line);
      else if (state.status === 'down') log.warn({ channel: name }, line);
      else log.info({ channel: name }, line);
      changes.publish({ kind: 'channel' });
    },
    noteSend(name, fault) {
      const before = faults.get(name);
      if (before?.text === (fault ?? undefined)) return;
      if (fault === null) faults.delete(name);
      else faults.set(name, { text: fault, at: before?.at ?? clock.now() });
      changes.publish({ kind: 'channel' });
    },
    states: () =>
      configured.map(({ channel, address, approvers }) => {
        const { name, title } = channel.info;
        return {
          name,
          title,
          ...stateOf(name),
          chatId: address.chatId,
          approvers: approvers.length,
        };
      }),
    warnings: () =>
      configured.flatMap(({ channel: { info }, approvers }) => {
        const { status, detail } = stateOf(info.name);
        const nobody = `Nobody may answer on ${info.title}: BECKON_${info.name.toUpperCase()}_APPROVERS is empty. Set it to the account ids of the people who may.`;
        return [
          ...(status === 'misconfigured' || status === 'down' ? [`${info.title} does not work now: ${detail}`] : []),
          ...(approvers.length === 0 ? [nobody] : []),
        ];
      }),
  };
}
