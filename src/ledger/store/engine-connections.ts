import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/** Connections as the migration engine needs them: all that it does on one is one transaction, so that a crash leaves nothing. */
export interface EngineConnections {
  readonly factory: SqlMigrationAwareDriverAdapterFactory;
  /** Makes what the engine did permanent. */
  commit(): Promise<void>;
  /** Undoes what was not committed and ends what the engine left open. */
  close(): Promise<void>;
}

export function createEngineConnections(inner: SqlMigrationAwareDriverAdapterFactory): EngineConnections {
  const open: SqlDriverAdapter[] = [];
  let failure: unknown = null;

  /** After a failed script its transaction is over: whatever the engine would still do or report must not hide that. */
  const unlessFailed = async <T>(work: () => Promise<T>): Promise<T> => {
    if (failure !== null) throw failure;
    return work();
  };

  const connect = async (): Promise<SqlDriverAdapter> => {
    const connection = await inner.connect();
    open.push(connection);
    // Cannot be changed within a transaction, and rebuilding a table needs it off; migrations are checked when they are written.
    if (inner.provider === 'sqlite') await connection.executeScript('PRAGMA foreign_keys = OFF');
    await connection.executeScript('BEGIN');
    return {
      provider: connection.provider,
      adapterName: connection.adapterName,
      queryRaw: (query) => unlessFailed(() => connection.queryRaw(query)),
      // The engine makes its SQLite connection exclusive, which fails while any process has the file open (in WAL mode each
      // holds a shared lock). `withMigrationLock` does that work, so the statement is left out.
      executeRaw: (query) =>
        unlessFailed(async () => (query.sql.includes('locking_mode') ? 0 : connection.executeRaw(query))),
      executeScript: (script) =>
        unlessFailed(async () => {
          try {
            await connection.executeScript(script);
          } catch (error) {
            failure = error;
            throw error;
          }
        }),
      startTransaction: (level) => connection.startTransaction(level),
      getConnectionInfo: () => connection.getConnectionInfo?.() ?? { supportsRelationJoins: false },
      dispose: async () => {},
    };
  };

  return {
    factory: { ...inner, connect, connectToShadowDb: () => inner.connectToShadowDb() },
    async commit() {
      for (const connection of open) await connection.executeScript('COMMIT');
    },
    async close() {
      for (const connection of open.splice(0)) {
        // Fails where it is committed already; undone by the end of the connection anyway, but one in memory lives on.
        await attempt(() => connection.executeScript('ROLLBACK'));
        if (inner.provider === 'sqlite') await attempt(() => connection.executeScript('PRAGMA foreign_keys = ON'));
        await connection.dispose();
      }
    },
  };
}

async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    // See the caller.
  }
}
