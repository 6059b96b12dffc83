import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/** Connections as the migration engine needs them. */
export interface EngineConnections {
  readonly factory: SqlMigrationAwareDriverAdapterFactory;
  /** Ends what the engine left open: it does not always end its own. */
  close(): Promise<void>;
}

export function createEngineConnections(inner: SqlMigrationAwareDriverAdapterFactory): EngineConnections {
  const open = new Set<() => Promise<void>>();

  const track = (connection: SqlDriverAdapter): SqlDriverAdapter => {
    const end = () => connection.dispose();
    open.add(end);
    return {
      provider: connection.provider,
      adapterName: connection.adapterName,
      queryRaw: (query) => connection.queryRaw(query),
      // The engine makes its SQLite connection exclusive, which fails while any process has the file open (in WAL mode each
      // holds a shared lock). `withMigrationLock` does that work, so the statement is left out.
      executeRaw: async (query) => (query.sql.includes('locking_mode') ? 0 : connection.executeRaw(query)),
      executeScript: (script) => connection.executeScript(script),
      startTransaction: (level) => connection.startTransaction(level),
      getConnectionInfo: () => connection.getConnectionInfo?.() ?? { supportsRelationJoins: false },
      async dispose() {
        if (open.delete(end)) await end();
      },
    };
  };

  return {
    factory: {
      provider: inner.provider,
      adapterName: inner.adapterName,
      connect: async () => track(await inner.connect()),
      connectToShadowDb: async () => track(await inner.connectToShadowDb()),
    },
    async close() {
      for (const end of open) {
        open.delete(end);
        await end();
      }
    },
  };
}
