import type { UserView } from '../../contract/users.js';
import type { Database } from '../../storage/database.js';
import { countReports, listReports as readReports } from '../../storage/users/managers.js';
import { getUser } from '../../storage/users/read-users.js';
import { type Page, type PageRequest, pageByKey } from '../cursor.js';
import { missingUser } from '../missing-user.js';
import { isSerial } from '../serial.js';

export interface Report extends UserView {
  /** Who reports to this one in turn, directly. */
  readonly reports: { readonly count: number; readonly isExact: boolean };
}

/** Counting everybody who reports to the head of a large company would take too long. */
const countedReportsMax = 100;

/** Who reports to a user, directly or through others. */
export async function listReports(
  { pool }: Database,
  serial: string,
  all: boolean,
  page: PageRequest,
): Promise<Page<Report>> {
  const found = isSerial(serial) ? await getUser(pool, serial) : undefined;
  if (!found) return { ok: false, failure: await missingUser(pool, serial) };
  const list = {
    name: 'reports',
    filters: { serial, all },
    isKey: isSerial,
    keyOf: (user: UserView) => user.serial,
  };
  const listed = await pageByKey(page, list, async (after, limit) =>
    (await readReports(pool, serial, { all, after, limit })).map(({ user }) => user),
  );
  if (!listed.ok) return listed;
  const serials = listed.items.map((user) => user.serial);
  const counts = await countReports(pool, serials, countedReportsMax + 1);
  const reportsOf = (count: number) => ({
    count: Math.min(count, countedReportsMax),
    isExact: count <= countedReportsMax,
  });
  return {
    ...listed,
    items: listed.items.map((user) => ({ ...user, reports: reportsOf(counts.get(user.serial) ?? 0) })),
  };
}
