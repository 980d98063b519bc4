import type { Database, Executor } from '../database.js';

export interface Snapshot {
  readonly tx: Executor;
  /** Can be called again. */
  close(): Promise<void>;
}

/** A reader that stops reading for this long, such as a stalled download, must not hold back the server's vacuum. */
const idleMax = '10min';

/**
 * Opens a read-only snapshot that lasts until it is closed. Values are written as text in the same way by every
 * database: without the settings of its server or role.
 */
export async function openSnapshot({ pool }: Database): Promise<Snapshot> {
  const client = await pool.connect();
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    const broken = await client.query('ROLLBACK').then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(broken);
  };
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(
      `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = '${idleMax}'; ${textSettings}`,
    );
    return { tx: client, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the text of a value depends on, and in what order a table is read. */
export const textSettings = `SET LOCAL synchronize_seqscans = off; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres';
  SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'`;
