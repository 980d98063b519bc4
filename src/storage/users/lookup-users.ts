import type { UserView } from '../../contract/users.js';
import type { Executor } from '../database.js';
import { parseTextArray, plainArray, textArray } from '../sql-arrays.js';
import { type PackedRow, type Packing, packed, packedFields, unpacked } from './packed-users.js';
import { type ViewRow, versionedUser, viewColumns } from './read-users.js';

const views: Packing<UserView> = {
  columns: ['serial', ...packedFields, `created_at AT TIME ZONE 'UTC'`, `updated_at AT TIME ZONE 'UTC'`],
  unpack: (texts, at) => ({
    serial: texts[at] as string,
    employeeID: texts[at + 1] as string,
    name: texts[at + 2] as string,
    username: texts[at + 3] || null,
    email: texts[at + 4] || null,
    phone: texts[at + 5] || null,
    isActive: texts[at + 6] === 't',
    tagSerials: parseTextArray(texts[at + 7] as string),
    organizationSerial: texts[at + 8] || null,
    createdAt: toApiTime(texts[at + 9] as string),
    updatedAt: toApiTime(texts[at + 10] as string),
  }),
};

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
