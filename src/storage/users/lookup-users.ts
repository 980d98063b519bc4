import type { UserView } from '../../contract/users.js';
import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';
import { type ViewRow, versionedUser, viewColumns } from './read-users.js';
import { type PackedRow, packed, packingOf, unpacked } from './user-columns.js';

const utc = (column: string) => `${column} AT TIME ZONE 'UTC'`;
const views = packingOf<UserView>(
  {
    serial: { column: 'serial', read: (text) => text },
    createdAt: { column: utc('created_at'), read: (text) => `toApiTime(${text})` },
    updatedAt: { column: utc('updated_at'), read: (text) => `toApiTime(${text})` },
  },
  { toApiTime },
);

/**
 * Converts PostgreSQL's `2026-11-15 08:30:00.123456` to the API format; to_char would cost a quarter of the whole
 * query.
 */
function toApiTime(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, 23).padEnd(3, '0')}Z`;
}

/** The users with these employee IDs or serials, in any order. */
export async function lookupUsers(
  executor: Executor,
  key: 'employee_id' | 'serial',
  keys: readonly string[],
): Promise<UserView[]> {
  const isSerial = key === 'serial';
  const values = [isSerial ? plainArray(keys) : textArray(keys)];
  const selected = `FROM users WHERE ${key} = ANY ($1::${isSerial ? 'uuid' : 'text'}[])`;
  const { rows } = await executor.query<PackedRow>({
    name: `lookup-users-by-${key}`,
    text: `SELECT ${packed(views)} ${selected}`,
    values,
    rowMode: 'array',
  });
  return unpacked(views, rows[0]) ?? (await lookupRows());

  async function lookupRows(): Promise<UserView[]> {
    const { rows } = await executor.query<ViewRow>({
      name: `lookup-users-by-${key}-in-rows`,
      text: `SELECT ${viewColumns} ${selected}`,
      values,
    });
    return rows.map((row) => versionedUser(row).user);
  }
}
