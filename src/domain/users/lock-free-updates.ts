import type { AttributePatch } from '../../contract/attribute-values.js';
import type { Limits } from '../../contract/limits.js';
import type { StoredUser } from '../../contract/users.js';
import { rolesOf } from '../../storage/access/roles.js';
import { ConnectionShare } from '../../storage/connection-share.js';
import type { Database } from '../../storage/database.js';
import { readUsers, type UserSelection } from '../../storage/users/read-users.js';
import type { Metrics } from '../../telemetry/metrics.js';
import { bulkPhase } from '../../telemetry/tracing.js';
import { type AttributeFacts, attributeFacts, idsIn, refusalOf } from '../attributes/attribute-facts.js';
import type { AttributeSet } from '../attributes/attribute-set.js';
import { emptyNameHistory } from '../bulk/name-history.js';
import type { Chunk, ItemBlocks } from '../bulk/plan.js';
import type { CallAuthor, LockFreeStages } from '../bulk/stages.js';
import type { LimitedDatabase } from '../database.js';
import type { Parsed } from '../read-fields.js';
import { yieldToEventLoop } from '../yield-to-event-loop.js';
import { mayAdminister } from './administrators.js';
import { applyUpdates, type PreparedUpdates, prepareUpdates } from './apply-updates.js';
import { explainMissing } from './explain-missing.js';
import { noReportingLines } from './plans/managers.js';
import { concernsRole } from './plans/protected-users.js';
import { rehireOf } from './plans/rehire.js';
import { planUpdates, type UpdatePlan } from './plans/sequential-plan.js';
import { targetFinder } from './plans/target.js';
import type { NoticeSettings } from './update-consequences.js';
import { type BulkChange, patchesIn } from './user-rules.js';

interface LockFreeContext extends LimitedDatabase, NoticeSettings {
  readonly metrics?: Metrics | undefined;
}

/**
 * Lock-free bulk updates, for calls without renames or duplicate users, and for their chunks that create or rehire no users. Such
 * items are independent: an item that changes nothing or fails is correct as of the read, and an item that changes its
 * user is correct as of the write, provided the user still has the version that was read. So no rows are locked up
 * front, and chunks need not wait for each other.
 */
export function canRunLockFree(parsed: readonly Parsed<BulkChange>[]): boolean {
  const selected = new Set<string>();
  for (const item of parsed) {
    if (!item.ok) continue;
    const { targetEmployeeID, change } = item.value;
    if (change.employeeID !== undefined && change.employeeID !== targetEmployeeID) return false;
    if (selected.has(targetEmployeeID)) return false;
    selected.add(targetEmployeeID);
  }
  return true;
}

/** Smaller chunks are not worth their own transaction. */
const chunkItemsMin = 500;

/** Splits even a call that would fit into one chunk, so that every connection has work. */
export function lockFreeChunkItems(
  items: number,
  { bulkChunkItems, bulkConnectionsMax }: Pick<Limits, 'bulkChunkItems' | 'bulkConnectionsMax'>,
): number {
  return Math.min(bulkChunkItems, Math.max(Math.ceil(items / bulkConnectionsMax), chunkItemsMin));
}

/** Users who were read before their chunk is planned. */
interface UsersRead {
  /** The share of the pool that the whole call uses. */
  readonly connections: ConnectionShare;
  /** Undefined if not all of them were. */
  usersOf(chunk: Chunk<BulkChange>): Promise<StoredUser[]> | undefined;
}

export function lockFreeUpdates(
  context: LockFreeContext,
  usersRead: UsersRead,
): LockFreeStages<BulkChange, LockFreePlan, PreparedUpdates> {
  const { database, limits } = context;
  const { connections } = usersRead;
  // After a chunk of mostly new users, the next ones probably create users too: reading them first would be in vain.
  let createsMost = false;
  return {
    concurrency: limits.bulkConnectionsMax + 2,
    connections,
    plan: async (chunk, author) => {
      if (createsMost) return undefined;
      const stored = await usersOf(chunk);
      await yieldToEventLoop(); // send the database its next statement first; it runs while this chunk is planned
      if (createsUsers(chunk, stored)) {
        createsMost = 2 * stored.length < chunk.items.length;
        return undefined;
      }
      if (touchesNames(chunk, stored) || rehiresUsers(chunk, stored)) return undefined;
      const patches = patchesIn(chunk.items);
      const facts = await attributeFacts(database.pool, patches, { caller: author.caller, locks: false });
      const { definitions } = facts;
      const written = idsIn(patches);
      // What is no longer accepted is decided again with locks.
      if (touchesUnique(written, definitions) || anyRefused(patches, facts)) return undefined;
      const { known, lines } = await withManagers(chunk);
      // Who reports to whom depends on all changes of managers, so they wait for each other.
      if (changesManagers(chunk, known)) return undefined;
      const planned = await withRoles(
        await bulkPhase(context.metrics, 'plan', () =>
          planUpdates(chunk, known, emptyNameHistory(), { lines }),
        ),
        author,
      );
      if (!planned) return undefined;
      const outcomes = await explainMissing(database.pool, planned.outcomes, chunk.first);
      const versions = definitions.versionsOf(written);
      return { ...planned, outcomes, definitions, versions };

      async function usersOf(chunk: Chunk<BulkChange>): Promise<StoredUser[]> {
        const read = (selection: UserSelection) =>
          connections.run('read', () => readUsers(database.pool, selection));
        const users = await usersRead.usersOf(chunk);
        if (!users) return read(selectedBy(chunk));
        const serials = serialsMissing(chunk, users);
        return serials.length === 0
          ? users
          : [...users, ...(await read({ employeeIDs: [], usernames: [], serials }))];
      }

      /** The users of the chunk and their managers. */
      async function withManagers({ items }: Chunk<BulkChange>) {
        const meant = new Set(
          items.flatMap((item) => (item.ok && item.value.change.managerEmployeeID) || []),
        );
        if (meant.size === 0) return { known: stored, lines: noReportingLines };
        for (const { employeeID } of stored) meant.delete(employeeID);
        const selection = { employeeIDs: [...meant], usernames: [] };
        const managers = await connections.run('read', () => readUsers(database.pool, selection));
        const known = [...stored, ...managers];
        // Who reports to whom may change before the write, unlike what the users are called.
        const lines = new Map(
          known.map(({ serial, employeeID }) => [serial, { employeeID, managerSerial: null }]),
        );
        return { known, lines };
      }

      /**
       * Roles are read after the users. Granting or revoking a role changes the user's version, so these roles are
       * still current at the write if the versions are.
       */
      async function withRoles(plan: UpdatePlan, { caller }: CallAuthor): Promise<UpdatePlan | undefined> {
        const concerned = plan.changed.filter(({ before, after }) => concernsRole(before, after));
        if (concerned.length === 0) return plan;
        const serials = concerned.map(({ after }) => after.serial);
        const roles = await connections.run('read', () => rolesOf(database.pool, serials));
        if (roles.size === 0) return plan;
        const mayChangeProtected = mayAdminister(caller);
        const roleFacts = { administrators: [], roles, mayChangeProtected };
        const again = planUpdates(chunk, known, emptyNameHistory(), { roleFacts, lines });
        return changesStatusOfAny(again, roles) ? undefined : again;
      }
    },
    statements: async (plan, author) => ({
      ...(await prepareUpdates(context, plan, author, plan.definitions)),
      definitions: plan.versions,
    }),
    send: applyUpdates,
    changes: ({ changed }) => changed.length,
  };
}

/** Of items that mean a former holder of an employee ID: only present ones are read ahead. */
function serialsMissing({ items }: Chunk<BulkChange>, users: readonly StoredUser[]): string[] {
  const known = new Set(users.map(({ serial }) => serial));
  const meant = items.flatMap((item) => (item.ok && item.value.targetThen?.serial) || []);
  return meant.filter((serial) => !known.has(serial));
}

/** Removing an administrator depends on who else is one at that point of the call, which needs a lock. */
function changesStatusOfAny(
  { status: { activated, deactivated } }: UpdatePlan,
  roles: ReadonlyMap<string, unknown>,
): boolean {
  return [...activated, ...deactivated].some((serial) => roles.has(serial));
}

function selectedBy({ items }: Chunk<BulkChange>): UserSelection {
  const employeeIDs: string[] = [];
  const serials: string[] = [];
  for (const item of items) {
    if (!item.ok) continue;
    const { targetEmployeeID, targetThen } = item.value;
    if (!targetThen) employeeIDs.push(targetEmployeeID);
    else if (targetThen.serial !== null) serials.push(targetThen.serial);
  }
  return { employeeIDs, usernames: [], serials };
}

/** Whether an item creates its user, or would if nothing else is wrong with it. */
function createsUsers({ items }: Chunk<BulkChange>, stored: readonly StoredUser[]): boolean {
  if (!items.some((item) => item.ok && item.value.creation !== undefined)) return false;
  const userOf = targetFinder(stored);
  return items.some((item) => item.ok && item.value.creation !== undefined && !userOf(item.value));
}

function rehiresUsers({ items }: Chunk<BulkChange>, stored: readonly StoredUser[]): boolean {
  if (!items.some((item) => item.ok && item.value.rehire !== undefined)) return false;
  const userOf = targetFinder(stored);
  return items.some((item) => {
    const user = item.ok ? userOf(item.value) : undefined;
    return item.ok && user !== undefined && rehireOf(item.value, user) !== undefined;
  });
}

/** Whether an item changes or clears the username of its user. */
function touchesNames({ items }: Chunk<BulkChange>, stored: readonly StoredUser[]): boolean {
  const changesNames = ({ change }: BulkChange) =>
    change.username !== undefined || change.signInName !== undefined;
  if (!items.some((item) => item.ok && changesNames(item.value))) return false;
  const userOf = targetFinder(stored);
  return items.some((item) => {
    const user = item.ok ? userOf(item.value) : undefined;
    if (!item.ok || !user) return false;
    const { username = user.username, signInName = user.signInName } = item.value.change;
    return user.username !== username || user.signInName !== signInName;
  });
}

/** Whether an item gives its user another manager, even if it fails: a circle is named before what else is wrong. */
function changesManagers({ items }: Chunk<BulkChange>, known: readonly StoredUser[]): boolean {
  if (!items.some((item) => item.ok && item.value.change.managerEmployeeID)) return false;
  const userOf = targetFinder(known);
  const serialOf = new Map(known.map(({ employeeID, serial }) => [employeeID, serial]));
  return items.some((item) => {
    const meant = item.ok ? item.value.change.managerEmployeeID : undefined;
    const manager = meant ? serialOf.get(meant) : undefined;
    const user = item.ok ? userOf(item.value) : undefined;
    return manager !== undefined && user !== undefined && user.managerSerial !== manager;
  });
}

export interface LockFreePlan extends UpdatePlan {
  /** Of the users, if the items don't tell. */
  readonly employeeIDs?: readonly (string | null)[];
  /** By which attributes were checked, and the versions of those that the chunk writes. */
  readonly definitions: AttributeSet;
  readonly versions: ReadonlyMap<string, number>;
}

function touchesUnique(attributeIds: ReadonlySet<string>, definitions: AttributeSet): boolean {
  return definitions.hasUnique && [...attributeIds].some((id) => definitions.isUnique(id));
}

function anyRefused(patches: readonly AttributePatch[], facts: AttributeFacts): boolean {
  return patches.some((patch) => refusalOf(facts, patch, {}) !== undefined);
}

interface ReadBlock {
  /** The position after its last item. */
  readonly end: number;
  readonly users: Promise<StoredUser[]>;
}

/**
 * Reads the users of a long bulk update while its items are still being parsed, so that the database does not wait for
 * the last item. Stops at the first item that renames or may create a user: such calls lock the users they read.
 */
export class ReadAhead implements UsersRead {
  readonly connections: ConnectionShare;
  readonly #database: Database;
  /** In item order. */
  readonly #blocks: ReadBlock[] = [];
  #isStopped = false;

  constructor({ database, limits }: LimitedDatabase) {
    this.#database = database;
    this.connections = new ConnectionShare(database.pool, limits.bulkConnectionsMax);
  }

  /** Passes on the items, and starts reading their users. */
  async *follow(blocks: ItemBlocks<BulkChange>): AsyncGenerator<readonly Parsed<BulkChange>[], void, void> {
    for await (const block of blocks) {
      this.#read(block);
      yield block;
    }
  }

  #read(items: readonly Parsed<BulkChange>[]): void {
    this.#isStopped ||= items.some(
      (item) => item.ok && (item.value.change.employeeID !== undefined || item.value.creation !== undefined),
    );
    if (this.#isStopped) return;
    const employeeIDs = items.flatMap((item) => (item.ok ? [item.value.targetEmployeeID] : []));
    const users = this.connections.run('read', () =>
      readUsers(this.#database.pool, { employeeIDs, usernames: [] }),
    );
    users.catch(() => {}); // usersOf() throws the error
    this.#blocks.push({ end: (this.#blocks.at(-1)?.end ?? 0) + items.length, users });
  }

  /** The serials of the users read so far, by employee ID. */
  async serials(): Promise<ReadonlyMap<string, string>> {
    const users = (await Promise.all(this.#blocks.map(({ users }) => users))).flat();
    return new Map(users.map(({ employeeID, serial }) => [employeeID, serial]));
  }

  usersOf({ first, items }: Chunk<BulkChange>): Promise<StoredUser[]> | undefined {
    const from = this.#blocks.findIndex(({ end }) => end > first);
    const to = this.#blocks.findIndex(({ end }) => end >= first + items.length);
    if (from === -1 || to === -1) return undefined;
    return among(items, this.#blocks.slice(from, to + 1));
  }
}

async function among(items: Chunk<BulkChange>['items'], blocks: readonly ReadBlock[]): Promise<StoredUser[]> {
  const read = await Promise.all(blocks.map(({ users }) => users));
  const selected = new Set(items.map((item) => (item.ok ? item.value.targetEmployeeID : undefined)));
  return read.flat().filter(({ employeeID }) => selected.has(employeeID));
}
