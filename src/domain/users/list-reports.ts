import type { UserView } from '../../contract/users.js';
import type { Database } from '../../storage/database.js';
import { listReports as readReports } from '../../storage/users/managers.js';
import { getUser } from '../../storage/users/read-users.js';
import { type Page, type PageRequest, pageByKey } from '../cursor.js';
import { missingUser } from '../missing-user.js';
import { isSerial } from '../serial.js';

/** Who reports to a user, directly or through others. */
export async function listReports(
  { pool }: Database,
  serial: string,
  all: boolean,
  page: PageRequest,
): Promise<Page<UserView>> {
  const found = isSerial(serial) ? await getUser(pool, serial) : undefined;
  if (!found) return { ok: false, failure: await missingUser(pool, serial) };
  const list = {
    name: 'reports',
    filters: { serial, all },
    isKey: isSerial,
    keyOf: (user: UserView) => user.serial,
  };
  return pageByKey(page, list, async (after, limit) =>
    (await readReports(pool, serial, { all, after, limit })).map(({ user }) => user),
  );
}
