import type { StoredUser } from '../../contract/users.js';
import { ConnectionShare } from '../../storage/connection-share.js';
import { readUsers } from '../../storage/users/read-users.js';
import type { Chunk } from '../bulk/plan.js';
import type { Context } from '../context.js';
import type { Parsed } from '../read-fields.js';
import type { BulkChange } from './user-rules.js';

/** How many items are read at once. */
const itemsPerRead = 1_000;

/**
 * Reads the users of a long bulk update while its items are still being parsed, so that the database does not wait for
 * the last item. Stops at the first item that renames or may create a user: such calls lock the users they read.
 */
export class ReadAhead {
  /** The share of the pool that the whole call uses. */
  readonly connections: ConnectionShare;
  readonly #database: Context['database'];
  readonly #blockItems: number;
  readonly #blocks: Promise<StoredUser[]>[] = [];
  #employeeIDs: string[] = [];
  #items = 0;
  #isStopped = false;

  constructor({ database, limits }: Pick<Context, 'database' | 'limits'>, blockItems = itemsPerRead) {
    this.#database = database;
    this.#blockItems = blockItems;
    this.connections = new ConnectionShare(database.pool, limits.bulkConnectionsMax);
  }

  /** Called for every item, in order. */
  add(item: Parsed<BulkChange>): void {
    this.#isStopped ||=
      item.ok && (item.value.change.employeeID !== undefined || item.value.creation !== undefined);
    if (this.#isStopped) return;
    if (item.ok) this.#employeeIDs.push(item.value.targetEmployeeID);
    if (++this.#items % this.#blockItems === 0) this.#readBlock();
  }

  #readBlock(): void {
    const selection = { employeeIDs: this.#employeeIDs, usernames: [] };
    this.#employeeIDs = [];
    const block = this.connections.run('read', () => readUsers(this.#database.pool, selection));
    block.catch(() => {}); // whoever needs the users gets the error
    this.#blocks.push(block);
  }

  /** The serials of the users read so far, by employee ID. */
  async serials(): Promise<ReadonlyMap<string, string>> {
    const users = (await Promise.all(this.#blocks)).flat();
    return new Map(users.map(({ employeeID, serial }) => [employeeID, serial]));
  }

  /** Undefined if not all of them were read ahead. */
  usersOf({ first, items }: Chunk<BulkChange>): Promise<StoredUser[]> | undefined {
    const begin = Math.floor(first / this.#blockItems);
    const end = Math.ceil((first + items.length) / this.#blockItems);
    if (end > this.#blocks.length) return undefined;
    return among(items, this.#blocks.slice(begin, end));
  }
}

async function among(
  items: Chunk<BulkChange>['items'],
  blocks: readonly Promise<StoredUser[]>[],
): Promise<StoredUser[]> {
  const users = (await Promise.all(blocks)).flat();
  const selected = new Set(items.map((item) => (item.ok ? item.value.targetEmployeeID : undefined)));
  return users.filter(({ employeeID }) => selected.has(employeeID));
}
