import { isDriverAdapterError } from '@prisma/driver-adapter-utils';
import { StoreUnavailable } from './store.ts';

/** The database cannot be used at all: for start-up. The message is one sentence for the operator. */
export class DatabaseUnusable extends Error {
  readonly code: string = 'database_unusable';
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'DatabaseUnusable';
  }
}

/** What is known of a failure, wherever Prisma put it. */
interface Failure {
  /** Prisma's code (`P2002`) or ''. */
  readonly code: string;
  /** The driver adapter's kind or ''. */
  readonly kind: string;
  /** SQLSTATE or SQLite's own name, or ''. */
  readonly state: string;
  readonly message: string;
}

export function isUniqueViolation(error: unknown): boolean {
  const { code, kind } = readFailure(error);
  return code === 'P2002' || kind === 'UniqueConstraintViolation';
}

/** Two transactions met on Postgres and this one lost: nothing of it happened, and it may simply run again. */
export function isWriteConflict(error: unknown): boolean {
  const { code, kind } = readFailure(error);
  return code === 'P2034' || kind === 'TransactionWriteConflict';
}

/** The failure as the store's callers get it: StoreUnavailable where the database could not do it, else as it is. */
export function toStoreFailure(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  const failure = readFailure(error);
  const reason = reasons.find(({ matches }) => matches(failure));
  return reason === undefined ? error : new StoreUnavailable(reason.sentence, { cause: error });
}

/** The failure of a first look at a database, as one sentence for the operator. */
export function unusable(error: unknown, name: string): DatabaseUnusable {
  if (error instanceof DatabaseUnusable) return error;
  const failure = readFailure(error);
  const sentence =
    startSentences.find(({ matches }) => matches(failure))?.sentence ??
    `cannot be opened (${failure.message.split('\n', 1)[0]})`;
  return new DatabaseUnusable(`The database ${name} ${sentence}.`, { cause: error });
}

const is =
  (pattern: RegExp) =>
  (failure: Failure): boolean =>
    pattern.test(failure.code) ||
    pattern.test(failure.kind) ||
    pattern.test(failure.state) ||
    pattern.test(failure.message);

const lost =
  /^P1001$|^P1002$|^P1017$|^DatabaseNotReachable$|^ConnectionClosed$|^08|^57P0|ECONN|EPIPE|ETIMEDOUT|Connection terminated|Client has encountered a connection error|Query read timeout|server closed the connection/i;

const reasons = [
  { matches: is(/disk is full|^SQLITE_FULL|^53100$|No space left/), sentence: 'the disk is full' },
  { matches: is(/disk I\/O error|^SQLITE_IOERR|^58030$/), sentence: 'the disk did not read or write' },
  { matches: is(/readonly database|^SQLITE_READONLY|^25006$/), sentence: 'the database is read-only' },
  { matches: is(/malformed|not a database|^SQLITE_CORRUPT|^SQLITE_NOTADB/), sentence: 'the database file is damaged' },
  { matches: is(/unable to open database file|^SQLITE_CANTOPEN/), sentence: 'the database file cannot be opened' },
  {
    matches: is(/database is locked|^SQLITE_BUSY|^P1008$|^SocketTimeout$/),
    sentence: 'another process keeps the database busy',
  },
  { matches: is(lost), sentence: 'the connection to the database is lost' },
  {
    matches: is(/^P2024$|^P2037$|^53300$|^TooManyConnections$|timeout exceeded when trying to connect/),
    sentence: 'the database has no free connection',
  },
  {
    matches: is(/^P2028$|^P2034$|^TransactionWriteConflict$|^57014$|^55P03$/),
    sentence: 'the database was too busy to finish in time',
  },
  {
    matches: is(/^P1000$|^28|^3D000$|^AuthenticationFailed$|^DatabaseAccessDenied$|^DatabaseDoesNotExist$/),
    sentence: 'the database lets Beckon in no longer',
  },
  {
    matches: is(/connection is not open|Engine is not yet connected|Cannot use a pool after calling end/),
    sentence: 'the database is closed',
  },
];

const startSentences = [
  {
    matches: is(/schema is not empty|_prisma_migrations\W+ does not exist/),
    sentence: "holds things that are not Beckon's. Give Beckon a database of its own",
  },
  {
    matches: is(/not a database|^SQLITE_NOTADB|malformed|^SQLITE_CORRUPT/),
    sentence: 'is not a database that Beckon can read. Move the file away, or point Beckon to another',
  },
  {
    matches: is(/unable to open database file|^SQLITE_CANTOPEN/),
    sentence: 'cannot be opened. Check that it is a file and that this account may read and write it',
  },
  {
    matches: is(/readonly database|^SQLITE_READONLY/),
    sentence: 'cannot be written. Give this account the right to write the file',
  },
  {
    matches: is(/database is locked|^SQLITE_BUSY|^P1008$|^SocketTimeout$/),
    sentence: 'is locked by another process. End that process, or wait until it is done, and start again',
  },
  { matches: is(/disk is full|^SQLITE_FULL/), sentence: 'cannot be opened because the disk is full' },
  {
    matches: is(/^P1000$|^28|^AuthenticationFailed$|^DatabaseAccessDenied$/),
    sentence: 'refuses the user name or the password of the address',
  },
  { matches: is(/^P1003$|^3D000$|^DatabaseDoesNotExist$/), sentence: 'does not exist on that server. Create it first' },
  {
    matches: is(/^TlsConnectionError$|^P1011$/),
    sentence: 'cannot be reached over TLS. Check the certificate settings of the address',
  },
  { matches: is(lost), sentence: 'cannot be reached. Check the address and that the server runs' },
  {
    matches: is(/ENOTFOUND|EAI_AGAIN|timeout exceeded when trying to connect/),
    sentence: 'cannot be reached. Check the address and that the server runs',
  },
];

function readFailure(error: unknown): Failure {
  if (error instanceof Error && isDriverAdapterError(error)) {
    const { cause } = error;
    return {
      code: '',
      kind: cause.kind,
      state: textOf(cause.originalCode) || ('code' in cause ? textOf(cause.code) : ''),
      message: textOf(cause.originalMessage) || error.message,
    };
  }
  if (!(error instanceof Error)) return { code: '', kind: '', state: '', message: String(error) };
  const code = 'code' in error ? textOf(error.code) : '';
  const meta = 'meta' in error && isRecord(error.meta) ? error.meta : {};
  const inner = meta.driverAdapterError ?? error.cause;
  if (inner instanceof Error && isDriverAdapterError(inner)) return { ...readFailure(inner), code };
  return { code, kind: '', state: code, message: error.message };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
