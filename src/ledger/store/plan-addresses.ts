export interface WantedAddress {
  readonly channel: string;
  readonly chatId: string;
  readonly threadId: string | null;
}

interface KnownAddress {
  readonly id: string;
  readonly channel: string;
  readonly configuredChatId: string;
  readonly chatId: string;
  /** Empty for none. */
  readonly threadId: string;
  readonly disabledReason: string | null;
}

export interface AddressPlan {
  readonly create: readonly WantedAddress[];
  readonly enable: readonly string[];
  readonly disable: readonly string[];
}

/** What turns the known addresses into the wanted ones. An address is known by the chat that was configured and by where that moved. */
export function planAddresses(known: readonly KnownAddress[], wanted: readonly WantedAddress[]): AddressPlan {
  const kept = new Set<string>();
  const create: WantedAddress[] = [];
  for (const address of wanted) {
    const match = known.find((row) => isAddress(row, address));
    if (match !== undefined) kept.add(match.id);
    else if (!create.some((other) => isSame(other, address))) create.push(address);
  }
  return {
    create,
    enable: known.filter(({ id, disabledReason }) => kept.has(id) && disabledReason !== null).map(({ id }) => id),
    disable: known.filter(({ id, disabledReason }) => !kept.has(id) && disabledReason === null).map(({ id }) => id),
  };
}

function isAddress(row: KnownAddress, { channel, chatId, threadId }: WantedAddress): boolean {
  const isChat = row.configuredChatId === chatId || row.chatId === chatId;
  return row.channel === channel && row.threadId === (threadId ?? '') && isChat;
}

function isSame(one: WantedAddress, other: WantedAddress): boolean {
  return one.channel === other.channel && one.chatId === other.chatId && one.threadId === other.threadId;
}
