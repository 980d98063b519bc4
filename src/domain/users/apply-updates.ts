import type { Executor } from '../../storage/database.js';
import { runUpdate, type UpdateStatement, updateStatement } from '../../storage/users/update-users.js';
import { releaseNames } from '../../storage/users/user-names.js';
import { fieldChanges } from '../changes/field-changes.js';
import type { Context } from '../context.js';
import { PlanOutdated } from '../retry-on-conflict.js';
import { yieldToEventLoop } from '../yield-to-event-loop.js';
import { batchesOf } from './batches.js';
import type { Update, Updates } from './plans/updates.js';
import { type Author, applyConsequences, type Consequences, consequencesOf } from './update-consequences.js';

export interface PreparedUpdates extends Pick<Updates, 'releasedNames'> {
  readonly statements: readonly UpdateStatement[];
  readonly consequences: Consequences;
}

/** Builds the statements. Needs no connection. */
export async function prepareUpdates(
  context: Pick<Context, 'changeNotices'>,
  updates: Updates,
  author: Author,
): Promise<PreparedUpdates> {
  const { changed, changedFields, releasedNames } = updates;
  const sorted = changed.toSorted((a, b) => (a.after.serial < b.after.serial ? -1 : 1));
  const statements: UpdateStatement[] = [];
  const tagsOf = ({ before, after }: Update) => before.tagSerials.length + after.tagSerials.length;
  for (const batch of batchesOf(sorted, changedFields.has('tagSerials') ? tagsOf : () => 0)) {
    if (statements.length > 0) await yieldToEventLoop();
    const written = batch.map(({ before, after, lostRole }) => ({
      user: after,
      changes: fieldChanges(before, after, lostRole),
    }));
    statements.push(updateStatement(written, changedFields, author.origin));
  }
  return { statements, releasedNames, consequences: consequencesOf(context, updates, author) };
}

/** Runs within a transaction. Also writes the change log and everything else that follows from the updates. */
export async function applyUpdates(
  tx: Executor,
  { statements, releasedNames, consequences }: PreparedUpdates,
): Promise<void> {
  await releaseNames(tx, releasedNames);
  for (const statement of statements) {
    if (!(await runUpdate(tx, statement))) throw new PlanOutdated();
  }
  await applyConsequences(tx, consequences);
}
