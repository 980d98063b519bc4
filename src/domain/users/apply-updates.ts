import { changeableFields } from '../../contract/user-values.js';
import { renewUniqueValues } from '../../storage/attributes/attributes.js';
import type { Executor } from '../../storage/database.js';
import { runUpdate, type UpdateStatement, updateStatement } from '../../storage/users/update-users.js';
import { releaseNames } from '../../storage/users/user-names.js';
import { allDone } from '../all-done.js';
import { checkDefinitions } from '../attributes/attribute-facts.js';
import { type AttributeSet, noAttributes } from '../attributes/attribute-set.js';
import { fieldChanges } from '../changes/field-changes.js';
import { PlanOutdated } from '../retry-on-conflict.js';
import { yieldToEventLoop } from '../yield-to-event-loop.js';
import { batchesOf } from './batches.js';
import type { Update, Updates } from './plans/updates.js';
import {
  type Author,
  applyConsequences,
  type Consequences,
  consequencesOf,
  type NoticeSettings,
} from './update-consequences.js';

export interface PreparedUpdates extends Pick<Updates, 'releasedNames'> {
  readonly statements: readonly UpdateStatement[];
  readonly consequences: Consequences;
  /** Users who take or give up values of unique attributes. */
  readonly uniqueValuesOf: readonly string[];
  /** The versions of attributes that still have to be current, by ID. */
  readonly definitions?: ReadonlyMap<string, number>;
}

/** Builds the statements. Needs no connection. */
export async function prepareUpdates(
  context: NoticeSettings,
  updates: Updates,
  author: Author,
  attributes: AttributeSet = noAttributes,
): Promise<PreparedUpdates> {
  const { changed, changedFields, releasedNames } = updates;
  const fields = changeableFields.filter((field) => changedFields.has(field));
  const statements: UpdateStatement[] = [];
  for (const [kind, updates] of byKind(changed)) {
    for (const batch of batchesInLockOrder(updates, changedFields)) {
      if (statements.length > 0) await yieldToEventLoop();
      const written = batch.map(({ before, after, lostRole }) => ({
        user: after,
        changes: fieldChanges(before, after, lostRole, fields),
      }));
      statements.push(updateStatement(written, changedFields, author.origin, kind));
    }
  }
  const uniqueValuesOf = changedFields.has('attributes')
    ? changed
        .filter(({ before, after }) => attributes.changesUnique(before.attributes, after.attributes))
        .map(({ after }) => after.serial)
    : [];
  return {
    ...{ statements, releasedNames, uniqueValuesOf },
    consequences: consequencesOf(context, updates, author),
  };
}

/** Rehired users are locked before anything is written, so it doesn't matter that they come last. */
function byKind(
  changed: readonly Update[],
): readonly (readonly ['updated' | 'rehired', readonly Update[]])[] {
  const rehired = changed.filter((update) => update.rehired);
  if (rehired.length === 0) return [['updated', changed]];
  return [
    ['updated', changed.filter((update) => !update.rehired)],
    ['rehired', rehired],
  ];
}

/** Users are always locked in the order of their serials. A statement sorts its own. */
function batchesInLockOrder(
  changed: readonly Update[],
  changedFields: Updates['changedFields'],
): (readonly Update[])[] {
  const tagsOf = ({ before, after }: Update) =>
    changedFields.has('tagSerials') ? before.tagSerials.length + after.tagSerials.length : 0;
  const batches = [...batchesOf(changed, tagsOf)];
  if (batches.length <= 1) return batches;
  return [
    ...batchesOf(
      changed.toSorted((a, b) => (a.after.serial < b.after.serial ? -1 : 1)),
      tagsOf,
    ),
  ];
}

/**
 * Runs within a transaction. Also writes the change log and everything else that follows from the updates. The
 * statements are sent without waiting for each other's results; the database runs them in this order.
 */
export async function applyUpdates(
  tx: Executor,
  { statements, releasedNames, consequences, uniqueValuesOf, definitions }: PreparedUpdates,
): Promise<void> {
  await allDone([
    ...(definitions ? [checkDefinitions(tx, definitions)] : []),
    releaseNames(tx, releasedNames),
    ...statements.map(async (statement) => {
      if (!(await runUpdate(tx, statement))) throw new PlanOutdated();
    }),
    renewUniqueValues(tx, uniqueValuesOf),
    applyConsequences(tx, consequences),
  ]);
}
