/** The service cannot start, or not on this database. `message` is a sentence for the operator. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
}

/** Another process is using the data directory. */
export class DataDirInUse extends StartupError {
  override readonly name = 'DataDirInUse';
  readonly dataDir: string;
  readonly holder: string;

  constructor(dataDir: string, holder: string) {
    super(
      `The data directory ${dataDir} is in use by ${holder}. Stop that one, or give this one another directory with ROLLCALL_DATA_DIR.`,
    );
    this.dataDir = dataDir;
    this.holder = holder;
  }
}

/** The connection broke during a commit, so it is unknown whether the change was made. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** The caller disconnected, so the work was not started or was canceled. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';

  constructor(options?: ErrorOptions) {
    super('the client disconnected', options);
  }
}

/**
 * What is wrong with the database, unless it is a bug of ours. `conflict`: another transaction got in the way, and the same
 * work can be planned again. `busy`: a lock or a statement took too long, or the server is out of a resource. `full`: its
 * disk is. `damaged`: it cannot read some of its files. `unavailable`: there is no usable connection.
 */
export type DatabaseOutage = 'conflict' | 'busy' | 'full' | 'damaged' | 'unavailable';

const networkCode = /^E(?:CONN|PIPE|TIMEDOUT|HOST|NET|AI_|NOTFOUND|ADDR|ACCES$|NOENT$)/;
const driverMessage =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|timeout e(?:xceeded|xpired)|Cannot use a pool|The server does not support SSL)/;
/** The certificate of the server is refused. */
const tlsCode = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_)/;
/** Sent when the server stops, starts, fails over to a standby that is still read-only, or rejects the login. */
const unavailableState = /^(?:08...|57P0[1235]|25006|28...|3D000)$/;
const fullState = '53100';
const damagedState = /^(?:XX00[12]|58030|58P01)$/;
const busyState = /^(?:53...|55P03|57014)$/;
const conflictState = /^(?:40001|40P01)$/;

export function databaseOutage(error: unknown): DatabaseOutage | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (conflictState.test(code)) return 'conflict';
  if (code === fullState) return 'full';
  if (damagedState.test(code)) return 'damaged';
  if (busyState.test(code)) return 'busy';
  if ([unavailableState, networkCode, tlsCode].some((known) => known.test(code))) return 'unavailable';
  if (driverMessage.test(error.message)) return 'unavailable';
  if (error instanceof AggregateError && error.errors.length > 0) return databaseOutage(error.errors[0]);
  return undefined;
}

/** SQLSTATE read_only_sql_transaction: what a standby answers to a write. */
export const readOnlyState = '25006';

export function isReadOnlyError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === readOnlyState;
}

/** A statement has taken longer than it may. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014';
}

/** The name of the unique constraint or index that a statement violated. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return undefined;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : '';
}
