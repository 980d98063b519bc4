import { eraseAccessEvents } from '../../storage/access/access-events.js';
import type { Executor } from '../../storage/database.js';
import { eraseMessages } from '../../storage/delivery/deliveries.js';
import {
  eraseFormerNames,
  eraseReleasedNames,
  rememberReleasedNames,
} from '../../storage/erasure/erased-users.js';
import { eraseLoggedValues, keepStatusCounts } from '../../storage/erasure/logged-values.js';
import { forgetInactiveUsers } from '../../storage/indexing/inactive-users.js';
import { pauseIndexing } from '../../storage/indexing/index-state.js';
import { deleteUsers } from '../../storage/users/read-users.js';
import { forgetFailuresOf } from '../access/sign-in-guard.js';
import { indexUsers } from '../indexing/index-users.js';
import type { Person } from './person.js';
import { eraseOutcomes } from './stored-outcomes.js';

/** Removes the data about these people from one place, within the transaction that erases them. */
type Place = (tx: Executor, people: readonly Person[]) => Promise<void>;

const bySerial =
  (erase: (tx: Executor, serials: readonly string[]) => Promise<void>): Place =>
  (tx, people) =>
    erase(
      tx,
      people.map(({ serial }) => serial),
    );

/**
 * Every place that knows something about a person. A test looks for the data of erased users in all tables, so a new
 * table with personal data needs an entry here. Messages come before users: the lock order.
 */
export const places: readonly Place[] = [
  bySerial(eraseMessages),
  // Before their names are gone: the quarantine goes on.
  bySerial(rememberReleasedNames),
  // Before it is forgotten who was active: only numbers remain.
  bySerial(keepStatusCounts),
  // Names become free here. Passwords, sessions, roles, the language and the first sign-in are deleted with the user.
  bySerial(deleteUsers),
  bySerial(eraseLoggedValues),
  bySerial(eraseFormerNames),
  bySerial(eraseAccessEvents),
  forgetFailuresOf,
  (tx, people) => eraseReleasedNames(tx, namesOf(people)),
  eraseOutcomes,
  eraseFromIndex,
];

/** The indexer could be writing them at this moment, so it waits. */
async function eraseFromIndex(tx: Executor, people: readonly Person[]): Promise<void> {
  const serials = people.map(({ serial }) => serial);
  await pauseIndexing(tx);
  await indexUsers(tx, serials);
  await forgetInactiveUsers(tx, serials);
}

function namesOf(people: readonly Person[]): string[] {
  return people.flatMap(({ names }) => names);
}
