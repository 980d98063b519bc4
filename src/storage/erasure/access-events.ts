import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql-arrays.js';

/**
 * Removes the details of events about the users, and the addresses they came from. If somebody else did something to
 * the user, the address is that person's and stays.
 */
export async function eraseAccessEvents(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'erase-events-about',
    text: `UPDATE access_events SET detail = '{}', address = CASE WHEN actor_id <> user_serial::text THEN address END
           WHERE user_serial = ANY ($1::uuid[])`,
    values: [plainArray(serials)],
  });
  await tx.query({
    name: 'erase-events-by',
    text: `UPDATE access_events SET address = NULL WHERE actor_kind = 'person' AND actor_id = ANY ($1::text[])`,
    values: [textArray(serials)],
  });
}
