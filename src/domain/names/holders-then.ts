import { type Failure, failure, retry } from '../../contract/errors.js';
import type { Executor } from '../../storage/database.js';
import {
  allNamesEndedSince,
  type FormerName,
  formerHoldersAt,
  logBegin,
  namesEndedSince,
  presentHolders,
  unindexedNameChanges,
} from '../../storage/names/former-names.js';
import { withCreatedAt } from '../serial.js';
import { dateAndTime } from '../time-text.js';

/** With more changes than this to look at, it is better to wait for the indexer, which takes a second or two. */
const unindexedMax = 50_000;

/** Serials by employee ID. */
export type Holders = ReadonlyMap<string, string>;

/**
 * The serials of the users who had these employee IDs at a time. Whoever has an ID now also had it then, unless they
 * were created or gave up another one since. Holders that were read before are not read again: if an ID has changed
 * hands in between, it ended since.
 */
export async function holdersThen(
  tx: Executor,
  employeeIDs: readonly string[],
  asOf: string,
  known: Holders = new Map(),
): Promise<Holders | Failure> {
  const problem = (await logProblem(tx, asOf)) ?? (await namesProblem(tx));
  if (problem) return problem;
  const present = await holdersNow(tx, employeeIDs, known);
  const { renamed, former } = await endedSince(tx, employeeIDs, present, asOf);
  const [holders, time] = [new Map<string, string>(), new Date(asOf)];
  for (const [employeeID, serial] of present) {
    if (!renamed.has(serial) && withCreatedAt(serial).createdAt <= time) holders.set(employeeID, serial);
  }
  // Times are those at which transactions began, so two may overlap by a moment. The first one counts.
  for (const { name, userSerial } of former.toReversed()) if (name !== null) holders.set(name, userSerial);
  return holders;
}

async function holdersNow(tx: Executor, employeeIDs: readonly string[], known: Holders): Promise<Holders> {
  const unknown = employeeIDs.filter((employeeID) => !known.has(employeeID));
  return new Map([...known, ...(unknown.length > 0 ? await presentHolders(tx, unknown) : [])]);
}

interface Ended {
  /** Those of the present holders who had another employee ID. */
  readonly renamed: ReadonlySet<string>;
  /** Who had one of the employee IDs and gave it up, oldest first. */
  readonly former: readonly FormerName[];
}

async function endedSince(
  tx: Executor,
  employeeIDs: readonly string[],
  present: Holders,
  asOf: string,
): Promise<Ended> {
  // Usually few IDs have ended since: reading all of them is faster than looking for every ID of the call.
  const all = await allNamesEndedSince(tx, 'employeeID', asOf, employeeIDs.length);
  if (all) {
    const asked = new Set(employeeIDs);
    const former = all.filter(
      ({ name, since }) => name !== null && asked.has(name) && since <= new Date(asOf),
    );
    return { renamed: new Set(all.map(({ userSerial }) => userSerial)), former };
  }
  const former = await formerHoldersAt(tx, 'employeeID', employeeIDs, asOf);
  const ended = await namesEndedSince(tx, 'employeeID', [...present.values()], asOf);
  return { renamed: new Set(ended.map(({ userSerial }) => userSerial)), former };
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
