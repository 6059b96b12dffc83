import { SimpleShardingStrategy, type WebSocketManager } from 'discord.js';
import { isObject } from './is-object.ts';

/**
 * Keeps a client's sockets from outliving it or ending the process. The library has holes: a shard that waits for its
 * next try is taken for idle and connects again 500 ms later; a socket that is still connecting is never closed, and
 * loses its error listener, so that its late failure would be an uncaught exception.
 */
export interface Shards {
  /** No shard connects again, and none is connecting. Before the client is destroyed. */
  freeze(): void;
  /** Cuts every socket that is still open, whichever shard made it. After. */
  cut(): void;
}

/** @param build hand it to the client as `ws.buildStrategy` */
export function createShards(deps: { readonly helloMs: number; readonly onFault: (error: unknown) => void }): Shards & {
  readonly build: (manager: ConstructorParameters<typeof SimpleShardingStrategy>[0]) => SimpleShardingStrategy;
} {
  const sockets = new Set<Socket>();
  let isFrozen = false;

  const keep = (socket: Socket) => {
    sockets.add(socket);
    // For ever: the library takes its own listener off a socket that can still fail.
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    if (isFrozen) drop(socket);
  };
  const adopt = (shard: object) => {
    let connection: unknown = Reflect.get(shard, 'connection');
    Object.defineProperty(shard, 'connection', {
      configurable: true,
      get: () => connection,
      set(socket: unknown) {
        connection = socket;
        if (isSocket(socket)) keep(socket);
      },
    });
    wrap(shard, 'destroy', (destroy) => {
      if (isSocket(connection)) drop(connection);
      return destroy();
    });
    // Nobody awaits it: it rejects on an unreadable address, or when a delayed IDENTIFY meets a socket still connecting.
    wrap(shard, 'internalConnect', async (connect) => {
      if (isFrozen) return;
      try {
        await connect();
      } catch (error) {
        deps.onFault(error);
      }
    });
  };

  return {
    build(manager) {
      manager.options.helloTimeout = deps.helloMs;
      // Well before the hello, so that a handshake that hangs is told as one and ends the way the library expects.
      manager.options.handshakeTimeout = deps.helloMs / 2;
      const strategy = new SimpleShardingStrategy(manager);
      // A login that is still under way would make its shards and connect them later.
      wrap(strategy, 'spawn', async (spawn) => {
        if (isFrozen) return;
        await spawn();
        const shards: unknown = Reflect.get(strategy, 'shards');
        if (shards instanceof Map) for (const shard of shards.values()) if (isObject(shard)) adopt(shard);
      });
      wrap(strategy, 'connect', async (connect) => {
        if (!isFrozen) await connect();
      });
      return strategy;
    },
    freeze() {
      isFrozen = true;
      for (const socket of sockets) drop(socket);
    },
    cut() {
      for (const socket of sockets) socket.terminate();
    },
  };
}

/** Ends a socket that is still connecting, unheard by its shard; leaves any other to its goodbye. */
function drop(socket: Socket): void {
  if (socket.readyState !== connecting) return;
  Object.assign(socket, { onopen: null, onmessage: null, onerror: null, onclose: null });
  socket.terminate();
}

/**
 * An event that discord.js cannot read throws where nobody catches it and would end the process (a message with
 * `thread: null` does). With this it is one line in the log.
 */
export function catchUnreadable(manager: WebSocketManager, onFault: (error: unknown) => void): void {
  wrap(manager, 'handlePacket', (handle) => {
    try {
      return handle();
    } catch (error) {
      onFault(error);
      return false;
    }
  });
}

/** Puts ourselves around a method of the library; `call` is the method with the arguments it was called with. */
function wrap(owner: object, name: string, around: (call: () => unknown) => unknown): void {
  const method: unknown = Reflect.get(owner, name);
  if (typeof method !== 'function') return;
  Reflect.set(owner, name, (...args: unknown[]): unknown => around(() => Reflect.apply(method, owner, args)));
}

interface Socket {
  readonly readyState: number;
  terminate(): void;
  on(event: 'error' | 'close', listener: () => void): void;
}

/** `readyState` before the handshake is over. */
const connecting = 0;

function isSocket(value: unknown): value is Socket {
  return (
    isObject(value) &&
    typeof Reflect.get(value, 'readyState') === 'number' &&
    typeof Reflect.get(value, 'terminate') === 'function' &&
    typeof Reflect.get(value, 'on') === 'function'
  );
}
