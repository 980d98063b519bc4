import type { Limits } from '../../contract/limits.js';
import type { StoredUser } from '../../contract/users.js';
import { rolesOf } from '../../storage/access/roles.js';
import { ConnectionShare } from '../../storage/connection-share.js';
import { transaction } from '../../storage/database.js';
import { readUsers } from '../../storage/users/read-users.js';
import { emptyNameHistory } from '../bulk/name-history.js';
import type { Chunk } from '../bulk/plan.js';
import type { ChunkContext, LockFreeStrategy } from '../bulk/run-chunks.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import type { Parsed } from '../read-fields.js';
import { yieldToEventLoop } from '../yield-to-event-loop.js';
import { mayAdminister } from './administrators.js';
import { applyUpdates, type PreparedUpdates, prepareUpdates } from './apply-updates.js';
import { concernsRole } from './plans/protected-users.js';
import { planUpdates, type UpdatePlan } from './plans/sequential-plan.js';
import type { BulkChange } from './user-rules.js';

/**
 * The quick way of a bulk update, for calls in which nobody is renamed and nobody comes twice. Such items do not depend
 * on each other: an item that changes nothing, or is refused, is right at the moment at which its user was read, and one
 * that changes its user is right at the moment at which they are written, if they still have the version that was read.
 * So nobody is locked beforehand, and parts of the call need not wait for each other.
 */
export function canRunLockFree(parsed: readonly Parsed<BulkChange>[]): boolean {
  const selected = new Set<string>();
  for (const item of parsed) {
    if (!item.ok) continue;
    const { selects, change } = item.value;
    if (change.employeeID !== undefined && change.employeeID !== selects) return false;
    if (selected.has(selects)) return false;
    selected.add(selects);
  }
  return true;
}

/** Fewer are not worth a transaction of their own. */
const chunkItemsMin = 500;

/** Also a call that would fit into one chunk is cut, so that there is something to do for every connection. */
export function lockFreeChunkItems(
  items: number,
  { bulkChunkItems, bulkConnectionsMax }: Pick<Limits, 'bulkChunkItems' | 'bulkConnectionsMax'>,
): number {
  return Math.min(bulkChunkItems, Math.max(Math.ceil(items / bulkConnectionsMax), chunkItemsMin));
}

export function lockFreeUpdates(context: Context, caller: Caller): LockFreeStrategy<BulkChange> {
  const { database, limits } = context;
  const connections = new ConnectionShare(database.pool, limits.bulkConnectionsMax);
  return {
    concurrency: limits.bulkConnectionsMax + 2,
    plan: async (chunk) => {
      const stored = await connections.run('read', () => readUsers(database.pool, selectedBy(chunk)));
      await yieldToEventLoop(); // the database gets its next statement first, and works while this chunk is planned
      if (touchesNames(chunk, stored)) return undefined;
      const plan = await withRoles(planUpdates(chunk, stored, emptyNameHistory()));
      if (!plan) return undefined;
      const write = async (chunkContext: ChunkContext) => {
        const prepared = await prepareUpdates(context, plan, chunkContext);
        await connections.run('write', () => writeChunk(context, plan, prepared, chunkContext));
      };
      return { ...plan, write };

      /**
       * Roles are read after the users. Whoever gives or takes one changes the version of its user, so what is read here
       * is still so when the users are written, if these have the versions that were read.
       */
      async function withRoles(plan: UpdatePlan): Promise<UpdatePlan | undefined> {
        const concerned = plan.changed.filter(({ before, after }) => concernsRole(before, after));
        if (concerned.length === 0) return plan;
        const serials = concerned.map(({ after }) => after.serial);
        const roles = await connections.run('read', () => rolesOf(database.pool, serials));
        if (roles.size === 0) return plan;
        const mayChangeProtected = mayAdminister(caller);
        const again = planUpdates(chunk, stored, emptyNameHistory(), {
          administrators: [],
          roles,
          mayChangeProtected,
        });
        return switchesAny(again, roles) ? undefined : again;
      }
    },
  };
}

function writeChunk(
  { database }: Context,
  plan: UpdatePlan,
  prepared: PreparedUpdates,
  chunkContext: ChunkContext,
): Promise<void> {
  return transaction(database, async (tx) => {
    await applyUpdates(tx, prepared);
    await chunkContext.record(tx, plan, plan.changed.length);
  });
}

/** Whether an administrator may go depends on who is there at that point of the call, and is judged under a lock. */
function switchesAny(
  { status: { activated, deactivated } }: UpdatePlan,
  roles: ReadonlyMap<string, unknown>,
): boolean {
  return [...activated, ...deactivated].some((serial) => roles.has(serial));
}

function selectedBy({ items }: Chunk<BulkChange>) {
  const employeeIDs = items.flatMap((item) => (item.ok ? [item.value.selects] : []));
  return { employeeIDs, usernames: [] };
}

/** Whether an item gives its user another username than they have, or takes it away. */
function touchesNames({ items }: Chunk<BulkChange>, stored: readonly StoredUser[]): boolean {
  if (!items.some((item) => item.ok && item.value.change.username !== undefined)) return false;
  const byEmployeeId = new Map(stored.map((user) => [user.employeeID, user]));
  return items.some((item) => {
    const username = item.ok ? item.value.change.username : undefined;
    const user = item.ok ? byEmployeeId.get(item.value.selects) : undefined;
    return username !== undefined && user !== undefined && user.username !== username;
  });
}
