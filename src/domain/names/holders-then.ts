import { type Failure, failure, retry } from '../../contract/errors.js';
import type { Executor } from '../../storage/database.js';
import { logBegin, presentHolders } from '../../storage/names/employee-id-holders.js';
import { formerHoldersAt, namesEndedSince, unindexedNameChanges } from '../../storage/names/former-names.js';
import { dateAndTime } from '../time-text.js';

/** With more changes than this to look at, it is better to wait for the indexer, which takes a second or two. */
const unindexedMax = 50_000;

/**
 * The serials of the users who had these employee IDs at a time, by employee ID. Whoever has an ID now also had it then,
 * unless they have given up another one since.
 */
export async function holdersThen(
  tx: Executor,
  employeeIDs: readonly string[],
  asOf: string,
): Promise<ReadonlyMap<string, string> | Failure> {
  const problem = (await logProblem(tx, asOf)) ?? (await namesProblem(tx));
  if (problem) return problem;
  const former = await formerHoldersAt(tx, 'employeeID', employeeIDs, asOf);
  const present = await presentHolders(tx, employeeIDs, asOf);
  const serials = present.map(({ serial }) => serial);
  const renamed = new Set(
    (await namesEndedSince(tx, 'employeeID', serials, asOf)).map(({ userSerial }) => userSerial),
  );
  const holders = new Map<string, string>();
  for (const { employeeID, serial } of present) if (!renamed.has(serial)) holders.set(employeeID, serial);
  // Times are those at which transactions began, so two may overlap by a moment. The first one counts.
  for (const { name, userSerial } of former.toReversed()) if (name !== null) holders.set(name, userSerial);
  return holders;
}

async function logProblem(tx: Executor, asOf: string): Promise<Failure | undefined> {
  const begin = await logBegin(tx);
  if (begin === undefined || new Date(asOf) >= begin) return undefined;
  return failure(
    'REQUEST_PARAMETER_INVALID',
    `"asOf" must not be before ${dateAndTime(begin)} (${begin.toISOString()}), where the change log begins.`,
    { parameter: 'asOf' },
  );
}

/** Former names are complete once the indexer has seen all changes, or nearly all. */
export async function namesProblem(tx: Executor): Promise<Failure | undefined> {
  return (await unindexedNameChanges(tx)) <= unindexedMax
    ? undefined
    : failure(
        'SERVICE_UNAVAILABLE',
        'The history of employee IDs is being read from the change log. Retry in a few seconds.',
        retry,
      );
}
