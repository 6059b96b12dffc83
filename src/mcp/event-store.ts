import {
  type EventStore,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';

/** Finished streams kept for a client that comes back late; the oldest go first. */
const finishedKept = 32;

/** What happened on the streams of one session, as far as a client that lost one needs it. */
export interface VirtualEventStore extends EventStore {
  /** The stream of an event id this store gave out; null for any other. */
  streamOf(eventId: string): string | null;
}

interface Kept {
  readonly seq: number;
  readonly message: JSONRPCMessage;
}

interface Stream {
  lastSeq: number;
  latestProgress: Kept | null;
  readonly finals: Kept[];
}

/**
 * An event store that keeps of every stream only its last event number, its latest progress and its results: six hours of
 * progress would be a thousand events a call, and only the last of them is true. It has no `getStreamIdForEventId` on
 * purpose: with it, the SDK refuses a client that comes back before its old connection is known to be dead.
 */
export function createEventStore(deps: {
  /** A result was written to its stream, or is being replayed. */
  readonly onFinal: (streamId: string, message: JSONRPCMessage, how: 'sent' | 'replayed') => void;
}): VirtualEventStore {
  const streams = new Map<string, Stream>();

  const forget = () => {
    const finished = [...streams].filter(([, { finals }]) => finals.length > 0);
    for (const [id] of finished.slice(0, Math.max(0, finished.length - finishedKept))) streams.delete(id);
  };
  const streamOf = (eventId: string): string | null => {
    const [, streamId, seq] = /^(.+)~(\d{1,15})$/.exec(eventId) ?? [];
    const stream = streamId === undefined ? undefined : streams.get(streamId);
    return streamId !== undefined && stream !== undefined && Number(seq) <= stream.lastSeq ? streamId : null;
  };

  return {
    streamOf,
    async storeEvent(streamId, message) {
      const stream = streams.get(streamId) ?? { lastSeq: 0, latestProgress: null, finals: [] };
      stream.lastSeq += 1;
      const kept = { seq: stream.lastSeq, message };
      streams.set(streamId, stream);
      if (isFinal(message)) {
        stream.finals.push(kept);
        deps.onFinal(streamId, message, 'sent');
        forget();
      } else if ('method' in message) stream.latestProgress = kept;
      return `${streamId}~${kept.seq}`;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const streamId = streamOf(lastEventId);
      const stream = streamId === null ? undefined : streams.get(streamId);
      if (streamId === null || stream === undefined) throw new Error('unknown event id');
      const lastSeq = Number(lastEventId.slice(streamId.length + 1));
      const missed = [stream.latestProgress, ...stream.finals].filter((kept) => kept !== null && kept.seq > lastSeq);
      for (const kept of missed) {
        if (kept === null) continue;
        await send(`${streamId}~${kept.seq}`, kept.message);
        if (isFinal(kept.message)) deps.onFinal(streamId, kept.message, 'replayed');
      }
      return streamId;
    },
  };
}

function isFinal(message: JSONRPCMessage): boolean {
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
}
