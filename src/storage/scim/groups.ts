import type { StoredMembers } from '../../scim/group-members.js';
import type { ProvisionedGroup } from '../../scim/group-resource.js';
import type { Executor } from '../database.js';
import { textArray } from '../sql.js';

/** A tag with what providers have added to it. */
export interface GroupRow extends ProvisionedGroup {
  /** Whether it is in the directory even if no user has it. */
  readonly isEntry: boolean;
}

/** The columns of a group, from `entry` (a tag of the directory) and `known` (its row of `scim_groups`). */
export const groupColumns = `entry.serial, entry.display_name AS "displayName", coalesce(known.version, 1) AS version,
  coalesce(known.external_ids, '{}') AS "externalIds", coalesce(known.providers, '{}') AS providers,
  coalesce(known.created_at, nullif(entry.added_at, '-infinity')) AS "createdAt",
  coalesce(known.updated_at, nullif(entry.added_at, '-infinity')) AS "updatedAt"`;

export interface GroupColumns extends Omit<ProvisionedGroup, 'createdAt' | 'updatedAt'> {
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
}

export function groupOf({ createdAt, updatedAt, ...group }: GroupColumns): ProvisionedGroup {
  return {
    ...group,
    createdAt: createdAt?.toISOString() ?? null,
    updatedAt: updatedAt?.toISOString() ?? null,
  };
}

/** Whether the directory has the tag or not. */
export async function readGroup(executor: Executor, serial: string): Promise<GroupRow> {
  const { rows } = await executor.query<GroupColumns & { isEntry: boolean }>({
    name: 'read-scim-group',
    text: `SELECT ${groupColumns}, entry.is_entry AS "isEntry"
           FROM (SELECT asked.serial, display_name, added_at, (NOT (is_renamed OR is_undone)) IS TRUE AS is_entry
                 FROM (SELECT $1::text AS serial) AS asked LEFT JOIN tags USING (serial)) AS entry
             LEFT JOIN scim_groups AS known ON known.tag_serial = entry.serial`,
    values: [serial],
  });
  const [row] = rows;
  if (!row) throw new Error('one serial gives one row');
  const { isEntry, ...columns } = row;
  return { ...groupOf(columns), isEntry };
}

/** What only providers know about a tag. */
export interface KnownGroup {
  readonly version: number;
  readonly providers: readonly string[];
  readonly externalIds: Readonly<Record<string, string>>;
  readonly members: StoredMembers;
}

const knownColumns = 'version, providers, external_ids AS "externalIds", members';

/** Locks what is known about a tag until the transaction ends. */
export async function lockGroup(tx: Executor, serial: string): Promise<KnownGroup> {
  const lock = async () => {
    const { rows } = await tx.query<KnownGroup>({
      name: 'lock-scim-group',
      text: `SELECT ${knownColumns} FROM scim_groups WHERE tag_serial = $1 FOR UPDATE`,
      values: [serial],
    });
    return rows[0];
  };
  const locked = await lock();
  if (locked) return locked;
  await tx.query(
    `INSERT INTO scim_groups (tag_serial, created_at, updated_at)
     SELECT $1, added_at, coalesce(added_at, now())
     FROM (SELECT max(added_at) FILTER (WHERE added_at > '-infinity') AS added_at FROM tags WHERE serial = $1) AS entry
     ON CONFLICT DO NOTHING`,
    [serial],
  );
  return (await lock()) as KnownGroup;
}

export async function insertGroup(
  tx: Executor,
  serial: string,
  { providers, externalIds, members }: Omit<KnownGroup, 'version'>,
): Promise<void> {
  await tx.query(
    `INSERT INTO scim_groups (tag_serial, created_at, providers, external_ids, members)
     VALUES ($1, now(), $2::text[], $3, $4)`,
    [serial, textArray(providers), JSON.stringify(externalIds), JSON.stringify(members)],
  );
}

/** Replaces what is known about a tag, and makes it a new version. */
export async function updateGroup(
  tx: Executor,
  serial: string,
  { providers, externalIds, members }: Omit<KnownGroup, 'version'>,
): Promise<void> {
  await tx.query({
    name: 'update-scim-group',
    text: `UPDATE scim_groups SET providers = $2::text[], external_ids = $3, members = $4, version = version + 1,
             updated_at = now() WHERE tag_serial = $1`,
    values: [serial, textArray(providers), JSON.stringify(externalIds), JSON.stringify(members)],
  });
}

/** Whether another tag is called so. Only nobody else changing the directory makes the answer last. */
export async function isNameTaken(tx: Executor, displayName: string, besides: string): Promise<boolean> {
  const { rows } = await tx.query<{ isTaken: boolean }>(
    `SELECT EXISTS (SELECT FROM tags WHERE name_key = entry_key($1) AND serial <> $2
       AND (NOT (is_renamed OR is_undone) OR users_total > 0)) AS "isTaken"`,
    [displayName, besides],
  );
  return rows[0]?.isTaken === true;
}

/** From now on, the tag is in the directory only while a user has it, as after an undo of the deletion. */
export async function hideTag(tx: Executor, serial: string): Promise<void> {
  await tx.query(
    `INSERT INTO tags (serial, is_undone) VALUES ($1, true) ON CONFLICT (serial) DO UPDATE SET is_undone = true`,
    [serial],
  );
}

/** What is stored about the members of groups, by the serial of the tag. */
export async function storedMembersOf(
  executor: Executor,
  serials: readonly string[],
): Promise<ReadonlyMap<string, StoredMembers>> {
  const { rows } = await executor.query<{ serial: string; members: StoredMembers }>({
    name: 'stored-members-of-scim-groups',
    text: `SELECT tag_serial AS serial, members FROM scim_groups
           WHERE tag_serial = ANY ($1::text[]) AND members <> '{}'`,
    values: [textArray(serials)],
  });
  return new Map(rows.map(({ serial, members }) => [serial, members]));
}

/** Those of the tags that a provider manages as groups. */
export async function groupsOfProvider(
  executor: Executor,
  serials: readonly string[],
  clientId: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await executor.query<[serial: string]>({
    text: 'SELECT tag_serial FROM scim_groups WHERE tag_serial = ANY ($1::text[]) AND $2 = ANY (providers)',
    values: [textArray(serials), clientId],
    rowMode: 'array',
  });
  return new Set(rows.map(([serial]) => serial));
}

/** Whether a member is called so, in any case. Reads all that is stored about members, which is little. */
const isCalledSo = ['member.value', "member.details ->> 'display'", "member.details ->> 'displayName'"]
  .map((text) => `(lower((${text}) COLLATE "und-x-icu") = ANY ($1::text[])) IS TRUE`)
  .join(' OR ');

export interface StoredMember {
  readonly tagSerial: string;
  readonly value: string;
  readonly details: unknown;
}

/** What providers have sent about members that are called so. */
export async function listGroupMembers(
  executor: Executor,
  values: readonly string[],
): Promise<StoredMember[]> {
  const { rows } = await executor.query<StoredMember>({
    name: 'list-scim-group-members',
    text: `SELECT tag_serial AS "tagSerial", member.value, member.details
           FROM scim_groups CROSS JOIN LATERAL jsonb_each(members) AS member (value, details)
           WHERE members <> '{}' AND (${isCalledSo}) ORDER BY tag_serial, member.value`,
    values: [textArray(values.map((each) => each.toLowerCase()))],
  });
  return rows;
}

/** Forgets members that are called so. */
export async function eraseGroupMembers(tx: Executor, values: readonly string[]): Promise<void> {
  await tx.query({
    name: 'erase-scim-group-members',
    text: `UPDATE scim_groups SET members = coalesce(
             (SELECT jsonb_object_agg(member.value, member.details)
              FROM jsonb_each(members) AS member (value, details) WHERE NOT (${isCalledSo})), '{}')
           WHERE members <> '{}'
             AND EXISTS (SELECT FROM jsonb_each(members) AS member (value, details) WHERE ${isCalledSo})`,
    values: [textArray(values.map((each) => each.toLowerCase()))],
  });
}
