import { SimpleShardingStrategy, type WebSocketManager } from 'discord.js';
import { isObject } from './is-object.ts';

/**
 * Ends what is left of a client's sockets. The library's own end has holes: a shard that waits for its next try is taken
 * for idle and connects again 500 ms later, and a socket that is still connecting is never closed.
 */
export interface Shards {
  /** No shard connects again. Before the client is destroyed. */
  freeze(): void;
  /** Cuts the sockets that are still open. After. */
  cut(): void;
}

/** @param build hand it to the client as `ws.buildStrategy` */
export function createShards(limits: { readonly helloMs: number }): Shards & {
  readonly build: (manager: ConstructorParameters<typeof SimpleShardingStrategy>[0]) => SimpleShardingStrategy;
} {
  const strategies: SimpleShardingStrategy[] = [];
  const each = (act: (shard: object) => void) => {
    for (const strategy of strategies) {
      const shards: unknown = Reflect.get(strategy, 'shards');
      if (shards instanceof Map) for (const shard of shards.values()) if (isObject(shard)) act(shard);
    }
  };
  return {
    build(manager) {
      manager.options.helloTimeout = limits.helloMs;
      manager.options.handshakeTimeout = limits.helloMs;
      const strategy = new SimpleShardingStrategy(manager);
      strategies.push(strategy);
      return strategy;
    },
    freeze() {
      // A login that is still under way would make its shards and connect them later.
      for (const strategy of strategies) Object.assign(strategy, { spawn: async () => {}, connect: async () => {} });
      each((shard) => void Reflect.set(shard, 'internalConnect', async () => {}));
    },
    cut: () =>
      each((shard) => {
        const socket: unknown = Reflect.get(shard, 'connection');
        if (!isSocket(socket)) return;
        // Cutting a socket that is still connecting is an error event.
        socket.on('error', () => {});
        socket.terminate();
      }),
  };
}

/**
 * An event that discord.js cannot read throws where nobody catches it and would end the process (a message with
 * `thread: null` does). With this it is one line in the log.
 */
export function catchUnreadable(manager: WebSocketManager, onFault: (error: unknown) => void): void {
  const handle: unknown = Reflect.get(manager, 'handlePacket');
  if (typeof handle !== 'function') return;
  Reflect.set(manager, 'handlePacket', (...args: unknown[]): unknown => {
    try {
      return Reflect.apply(handle, manager, args);
    } catch (error) {
      onFault(error);
      return false;
    }
  });
}

interface Socket {
  terminate(): void;
  on(event: 'error', listener: () => void): void;
}

function isSocket(value: unknown): value is Socket {
  return (
    isObject(value) &&
    typeof Reflect.get(value, 'terminate') === 'function' &&
    typeof Reflect.get(value, 'on') === 'function'
  );
}
