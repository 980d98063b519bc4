import type { Executor } from '../../storage/database.js';
import { runUpdate, type UpdateStatement, updateStatement } from '../../storage/update-users.js';
import { parkNames } from '../../storage/user-names.js';
import type { Context } from '../context.js';
import { othersTurn } from '../others-turn.js';
import { PlanOutdated } from '../races.js';
import { type Author, type Consequences, consequencesOf, followUpdates } from './follow-updates.js';
import type { Updates } from './updates.js';
import { fieldChanges } from './user-change.js';

/** How many users one statement writes: to put more of them into words would keep others waiting. */
const updatesAtOnce = 2_500;

export interface PreparedUpdates extends Pick<Updates, 'parked'> {
  readonly statements: readonly UpdateStatement[];
  readonly consequences: Consequences;
}

/** Puts into words what is to be written, which needs no connection. */
export async function prepareUpdates(
  context: Pick<Context, 'changeNotices'>,
  updates: Updates,
  author: Author,
): Promise<PreparedUpdates> {
  const { changed, changedFields, parked } = updates;
  const sorted = changed.toSorted((a, b) => (a.after.serial < b.after.serial ? -1 : 1));
  const statements: UpdateStatement[] = [];
  for (let first = 0; first < sorted.length; first += updatesAtOnce) {
    if (first > 0) await othersTurn();
    const written = sorted.slice(first, first + updatesAtOnce).map(({ before, after, lostRole }) => ({
      user: after,
      changes: fieldChanges(before, after, lostRole),
    }));
    statements.push(updateStatement(written, changedFields, author.origin));
  }
  return { statements, parked, consequences: consequencesOf(context, updates, author) };
}

/** Within a transaction, with the rows of the change log and all that follows from it. */
export async function applyUpdates(
  tx: Executor,
  { statements, parked, consequences }: PreparedUpdates,
): Promise<void> {
  await parkNames(tx, parked);
  for (const statement of statements) {
    if (!(await runUpdate(tx, statement))) throw new PlanOutdated();
  }
  await followUpdates(tx, consequences);
}
