import type { DirectoryKind } from '../../contract/directories.js';
import type { Failure } from '../../contract/errors.js';
import type { Database, Executor } from '../../storage/database.js';
import { knownOrUnindexedSerials, knownSerials } from '../../storage/directories/known-serials.js';
import { type Parsed, quoted, reject } from '../read-fields.js';

export interface DirectoryContext {
  readonly database: Database;
  /** Whether users can only have organizations and tags that are in the directories. */
  readonly strictDirectories: boolean;
}

/** What refers to the directories. */
export interface SerialReferences {
  readonly organizationSerial?: string | null | undefined;
  readonly tagSerials?: readonly string[] | undefined;
}

type Directories = Readonly<Record<DirectoryKind, ReadonlySet<string>>>;

/** With strict directories, rejects items that refer to an organization or tag that is not in its directory. */
export async function rejectUnknownSerials<T>(
  context: DirectoryContext,
  parsed: readonly Parsed<T>[],
  referencesOf: (item: T) => SerialReferences,
  executor: Executor = context.database.pool,
): Promise<readonly Parsed<T>[]> {
  if (!context.strictDirectories) return parsed;
  const references = parsed.map((item) => (item.ok ? referencesOf(item.value) : {}));
  const directories: Directories = {
    organizations: await known(executor, 'organizations', [
      ...new Set(references.flatMap(({ organizationSerial }) => organizationSerial ?? [])),
    ]),
    tags: await known(executor, 'tags', [
      ...new Set(references.flatMap(({ tagSerials = [] }) => tagSerials)),
    ]),
  };
  return parsed.map((item, position) => {
    const problem = item.ok && unknownSerial(references[position] as SerialReferences, directories, position);
    return problem ? { ok: false, failure: problem } : item;
  });
}

/** The same for a request about one user. */
export async function unknownSerialIn(
  context: DirectoryContext,
  references: SerialReferences,
): Promise<Failure | undefined> {
  if (!context.strictDirectories) return undefined;
  const { pool } = context.database;
  const { organizationSerial, tagSerials = [] } = references;
  const directories = {
    organizations: await known(pool, 'organizations', organizationSerial ? [organizationSerial] : []),
    tags: await known(pool, 'tags', tagSerials),
  };
  return unknownSerial(references, directories, undefined);
}

/** While the index is being built, a serial that a user has may not be in the directory yet. */
async function known(
  executor: Executor,
  kind: DirectoryKind,
  serials: readonly string[],
): Promise<ReadonlySet<string>> {
  const listed = await knownSerials(executor, kind, serials);
  const others = serials.filter((serial) => !listed.has(serial));
  return others.length === 0
    ? listed
    : new Set([...listed, ...(await knownOrUnindexedSerials(executor, kind, others))]);
}

function unknownSerial(
  { organizationSerial, tagSerials = [] }: SerialReferences,
  known: Directories,
  position: number | undefined,
): Failure | undefined {
  const tag = tagSerials.find((serial) => !known.tags.has(serial));
  if (tag !== undefined) {
    return reject('USER_FIELD_INVALID', { position }, 'tagSerials', problemOf('tag', tag), 'directory')
      .failure;
  }
  if (organizationSerial == null || known.organizations.has(organizationSerial)) return undefined;
  const problem = problemOf('organization', organizationSerial);
  return reject('USER_FIELD_INVALID', { position }, 'organizationSerial', problem, 'directory').failure;
}

function problemOf(noun: string, serial: string): string {
  return `names the ${noun} "${quoted(serial)}", which is not in the directory. Add it there first.`;
}
