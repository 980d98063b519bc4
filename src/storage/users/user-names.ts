import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';

export async function anyNameHeld(
  tx: Executor,
  { employeeIDs, usernames }: { employeeIDs: readonly string[]; usernames: readonly string[] },
): Promise<boolean> {
  if (employeeIDs.length + usernames.length === 0) return false;
  const { rows } = await tx.query<{ found: boolean }>({
    name: 'any-name-held',
    text: `SELECT EXISTS (SELECT FROM users WHERE employee_id = ANY ($1::text[]))
               OR EXISTS (SELECT FROM users WHERE lower(username) = ANY ($2::text[])) AS found`,
    values: [textArray(employeeIDs), textArray(usernames)],
  });
  return rows[0]?.found === true;
}

export interface NameHolderSerials {
  readonly employeeID: string | null;
  /** Of the user with the employee ID. */
  readonly isActive: boolean | null;
  readonly username: string | null;
  readonly signInName: string | null;
}

/** Who holds these names, other than the user with the given serial. */
export async function nameHolders(
  executor: Executor,
  names: { employeeID: string | null; usernameKey: string | null; signInName?: string | null },
  exceptSerial: string,
): Promise<NameHolderSerials> {
  const { rows } = await executor.query<NameHolderSerials>({
    name: 'name-holders',
    text: `SELECT (SELECT serial FROM users WHERE employee_id = $1::text AND serial <> $3) AS "employeeID",
                  (SELECT is_active FROM users WHERE employee_id = $1::text AND serial <> $3) AS "isActive",
                  (SELECT serial FROM users WHERE lower(username) = $2::text AND serial <> $3) AS username,
                  (SELECT serial FROM users WHERE sign_in_name = $4::text AND serial <> $3) AS "signInName"`,
    values: [names.employeeID, names.usernameKey, exceptSerial, names.signInName ?? null],
  });
  return rows[0] ?? { employeeID: null, isActive: null, username: null, signInName: null };
}

/**
 * Releases the names of users who give them up to others in the same call. Unique indexes are checked row by row, so
 * without this, a rename to a name that has not been released yet would fail. "~" occurs in no employee ID.
 */
export async function releaseNames(
  tx: Executor,
  parked: {
    employeeIdsOf: readonly string[];
    usernamesOf: readonly string[];
    signInNamesOf: readonly string[];
  },
): Promise<void> {
  const sent: Promise<unknown>[] = [];
  if (parked.employeeIdsOf.length > 0) {
    sent.push(
      tx.query({
        name: 'park-employee-ids',
        text: `UPDATE users SET employee_id = '~' || serial::text WHERE serial = ANY ($1::uuid[])`,
        values: [plainArray(parked.employeeIdsOf)],
      }),
    );
  }
  if (parked.usernamesOf.length > 0) {
    sent.push(
      tx.query({
        name: 'park-usernames',
        text: 'UPDATE users SET username = NULL WHERE serial = ANY ($1::uuid[])',
        values: [plainArray(parked.usernamesOf)],
      }),
    );
  }
  if (parked.signInNamesOf.length > 0) {
    sent.push(
      tx.query({
        name: 'park-sign-in-names',
        text: 'UPDATE users SET sign_in_name = NULL WHERE serial = ANY ($1::uuid[])',
        values: [plainArray(parked.signInNamesOf)],
      }),
    );
  }
  await Promise.all(sent);
}
