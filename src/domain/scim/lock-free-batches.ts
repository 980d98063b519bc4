import type { StoredUser } from '../../contract/users.js';
import { referredBulkId } from '../../scim/bulk/references.js';
import { ConnectionShare } from '../../storage/connection-share.js';
import type { Chunk } from '../bulk/plan.js';
import type { LockFreeStages } from '../bulk/stages.js';
import type { Parsed } from '../read-fields.js';
import type { PreparedUpdates } from '../users/apply-updates.js';
import { type LockFreePlan, lockFreeUpdates } from '../users/lock-free-updates.js';
import type { BulkChangeContext } from '../users/update-users-bulk.js';
import type { BulkChange } from '../users/user-rules.js';
import { Batch, type BatchRequest } from './batch-items.js';
import { type BulkProgress, employeeIdsOf, noteVersions, type Versions } from './user-batches.js';
import type { UserOperation } from './user-operations.js';

/** Whether each operation changes a user of its own, and no failure can end the request. */
export function canRunLockFree(
  items: readonly Parsed<UserOperation>[],
  { failuresLeft }: BulkProgress,
): boolean {
  if (failuresLeft !== Number.POSITIVE_INFINITY) return false;
  const selected = new Set<string>();
  return items.every((item) => {
    if (!item.ok) return true;
    const { method, id = '' } = item.value;
    if ((method !== 'PUT' && method !== 'PATCH') || referredBulkId(id) !== undefined) return false;
    const isFirst = !selected.has(id.toLowerCase());
    selected.add(id.toLowerCase());
    return isFirst;
  });
}

/**
 * Runs such operations as a lock-free bulk update. Batches with operations that others may depend on, or that count for
 * the limit of deactivations, are left to the other stages.
 */
export function lockFreeStages(
  context: BulkChangeContext,
  request: BatchRequest,
  { created }: BulkProgress,
  versions: Versions,
): LockFreeStages<UserOperation, LockFreePlan, PreparedUpdates> {
  const { pool } = context.database;
  const connections = new ConnectionShare(pool, context.limits.bulkConnectionsMax);
  const read = new Map<Chunk<BulkChange>, readonly StoredUser[]>();
  const inner = lockFreeUpdates(context, {
    connections,
    usersOf: async (chunk) => [...(read.get(chunk) ?? [])],
  });
  return {
    ...inner,
    plan: async ({ first, items }, author) => {
      const batch = new Batch(context, request, created, { first, askedToGiveUp: new Set() });
      const compiled = await batch.compile(connections.reader, items);
      if ('giveUpNames' in compiled || compiled.changesReferences) return undefined;
      const { chunk } = compiled;
      if (chunk.items.length < items.length) return undefined;
      read.set(chunk, [...compiled.read.values()]);
      const plan = await inner.plan(chunk, author);
      read.delete(chunk);
      if (!plan || plan.status.deactivated.length > 0) return undefined;
      noteVersions(versions, plan.outcomes, first);
      return { ...plan, employeeIDs: employeeIdsOf(compiled) };
    },
  };
}
