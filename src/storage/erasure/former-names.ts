import type { Executor } from '../database.js';
import { plainArray } from '../sql-arrays.js';

/** The names that these users held before, also those that are no longer in the change log. */
export async function formerNamesOf(
  tx: Executor,
  serials: readonly string[],
): Promise<{ serial: string; name: string }[]> {
  const { rows } = await tx.query<{ serial: string; name: string }>({
    name: 'former-names-of',
    text: `SELECT user_serial AS serial, name FROM former_names
           WHERE user_serial = ANY ($1::uuid[]) AND name IS NOT NULL`,
    values: [plainArray(serials)],
  });
  return rows;
}

/** From now on, nobody knows that these users held the names. */
export async function eraseFormerNames(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'erase-former-names',
    text: 'DELETE FROM former_names WHERE user_serial = ANY ($1::uuid[])',
    values: [plainArray(serials)],
  });
}
