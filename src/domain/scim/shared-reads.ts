import type { Database } from '../../storage/database.js';
import { getUsers, type VersionedUser } from '../../storage/users/read-users.js';
import { Batcher } from '../batcher.js';
import { type Caller, maySeeSensitive } from '../caller.js';
import { schemaFor, type VisibleSchema } from './resource-facts.js';

/**
 * What every request about a user reads. Concurrent requests share the statements, which start after all of these requests
 * have, so that nobody reads anything older than if alone.
 */
interface SharedReads {
  readonly users: Batcher<string, VersionedUser | undefined>;
  /** By whether the caller may see sensitive attributes. */
  readonly schemas: Batcher<boolean, VisibleSchema>;
}

const concurrentStatementsMax = 2;
const readTogetherMax = 100;

const shared = new WeakMap<Database, SharedReads>();

export function sharedUser(database: Database, serial: string): Promise<VersionedUser | undefined> {
  return readsOf(database).users.add(serial);
}

export function sharedSchema(database: Database, { actor }: Caller): Promise<VisibleSchema> {
  return readsOf(database).schemas.add(maySeeSensitive(actor));
}

function readsOf(database: Database): SharedReads {
  let reads = shared.get(database);
  if (!reads) {
    const options = { concurrency: concurrentStatementsMax, batchMax: readTogetherMax };
    reads = {
      users: new Batcher((serials) => readUsers(database, serials), options),
      schemas: new Batcher((kinds) => readSchemas(database, kinds), options),
    };
    shared.set(database, reads);
  }
  return reads;
}

async function readUsers({ pool }: Database, serials: readonly string[]) {
  const users = await getUsers(pool, [...new Set(serials)]);
  const bySerial = new Map(users.map((each) => [each.user.serial, each]));
  return serials.map((serial) => bySerial.get(serial));
}

async function readSchemas({ pool }: Database, kinds: readonly boolean[]): Promise<VisibleSchema[]> {
  const read = new Map<boolean, VisibleSchema>();
  for (const kind of new Set(kinds)) read.set(kind, await schemaFor(pool, kind));
  return kinds.map((kind) => read.get(kind) as VisibleSchema);
}
