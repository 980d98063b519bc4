import type { Executor } from '../database.js';
import { deleteSearchEntries } from '../indexing/search-index.js';
import { plainArray, textArray } from '../sql-arrays.js';

/** Removes deleted users from what searches read. The caller has paused indexing. */
export async function eraseIndexEntries(
  tx: Executor,
  serials: readonly string[],
  names: readonly string[],
): Promise<void> {
  await deleteSearchEntries(tx, serials);
  await tx.query('DELETE FROM inactive_users WHERE user_serial = ANY ($1::uuid[])', [plainArray(serials)]);
  await mergeBlocksBeginningWith(tx, serials, names);
}

/** A block begins with the name or employee ID of a user. Without that user, it is part of the block before. */
async function mergeBlocksBeginningWith(
  tx: Executor,
  serials: readonly string[],
  names: readonly string[],
): Promise<void> {
  const { rows } = await tx.query<{ sort: string; key: string; serial: string }>({
    name: 'blocks-beginning-with',
    text: `SELECT sort, first_key AS key, first_serial AS serial FROM search_blocks
           WHERE first_serial = ANY ($1::uuid[]) OR sort = 'employeeID' AND first_key = ANY ($2::text[])`,
    values: [plainArray(serials), textArray(names)],
  });
  for (const { sort, key, serial } of rows) {
    await tx.query(
      `WITH merged AS (
         DELETE FROM search_blocks WHERE sort = $1 AND first_key = $2 AND first_serial = $3 RETURNING *)
       UPDATE search_blocks AS block SET end_key = merged.end_key, end_serial = merged.end_serial,
         terms = block.terms | merged.terms, users = block.users + merged.users
       FROM merged
       WHERE block.sort = merged.sort AND block.end_key = merged.first_key
         AND block.end_serial IS NOT DISTINCT FROM merged.first_serial`,
      [sort, key, serial],
    );
  }
}
