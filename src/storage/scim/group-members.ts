import type { GroupUser } from '../../scim/group-resource.js';
import type { Executor } from '../database.js';
import { newParameters, plainArray, textArray } from '../sql.js';
import type { Fresh } from '../users/matching-users.js';
import { holders } from './tag-holders.js';
import { isSeen, type Seeing } from './user-sources.js';

export interface PossibleMember extends GroupUser {
  readonly isMember: boolean;
}

/** Those of the users whom the provider sees. Reads nothing but them, however many members the group has. */
export async function possibleMembers(
  executor: Executor,
  tagSerial: string,
  userSerials: readonly string[],
  seeing: Seeing,
): Promise<PossibleMember[]> {
  if (userSerials.length === 0) return [];
  const { values, parameter } = newParameters();
  const { rows } = await executor.query<PossibleMember>({
    name: `possible-members-of-scim-group-${seeing.isOwn ? 'seen-by-owner' : 'seen-by-all'}`,
    text: `SELECT serial, name, ${parameter(tagSerial)}::text = ANY (tag_serials) AS "isMember" FROM users
           WHERE serial = ANY (${parameter(plainArray(userSerials))}::uuid[]) AND ${isSeen(seeing, parameter)}`,
    values,
  });
  return rows;
}

export async function hasHolders(executor: Executor, tagSerial: string, fresh: Fresh): Promise<boolean> {
  const { values, parameter } = newParameters();
  const tag = `${parameter(tagSerial)}::text`;
  const { rows } = await executor.query<{ hasHolders: boolean }>({
    text: `SELECT EXISTS (${holders(tag, fresh, parameter)}) AS "hasHolders"`,
    values,
  });
  return rows[0]?.hasHolders === true;
}

/** Whether anyone has the tag whom the provider does not see. */
export async function hasHiddenHolders(
  executor: Executor,
  tagSerial: string,
  fresh: Fresh,
  seeing: Seeing,
): Promise<boolean> {
  const { values, parameter } = newParameters();
  const tag = `${parameter(tagSerial)}::text`;
  const { rows } = await executor.query<{ hasHidden: boolean }>({
    text: `SELECT EXISTS (SELECT FROM (${holders(tag, fresh, parameter)}) AS holders
             JOIN users ON users.serial = holders.serial WHERE (${isSeen(seeing, parameter)}) IS NOT TRUE) AS "hasHidden"`,
    values,
  });
  return rows[0]?.hasHidden === true;
}

/** In the order of their serials. */
export async function listHolders(
  executor: Executor,
  tagSerial: string,
  fresh: Fresh,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const { values, parameter } = newParameters();
  const tag = `${parameter(tagSerial)}::text`;
  const { rows } = await executor.query<[serial: string]>({
    text: `SELECT serial FROM (${holders(tag, fresh, parameter)}) AS holders
           WHERE serial > ${parameter(after)}::uuid ORDER BY serial LIMIT ${limit}`,
    values,
    rowMode: 'array',
  });
  return rows.map(([serial]) => serial);
}

/** Those of the users whom the provider sees. */
export async function seenAmong(
  executor: Executor,
  serials: readonly string[],
  seeing: Seeing,
): Promise<string[]> {
  const { values, parameter } = newParameters();
  const { rows } = await executor.query<[serial: string]>({
    text: `SELECT serial FROM users
           WHERE serial = ANY (${parameter(plainArray(serials))}::uuid[]) AND ${isSeen(seeing, parameter)} ORDER BY serial`,
    values,
    rowMode: 'array',
  });
  return rows.map(([serial]) => serial);
}

export interface MembersPage {
  readonly users: readonly GroupUser[];
  /** Whether there are more after them. */
  readonly hasMore: boolean;
}

/** The same page of the members of several tags, by serial. Tags without users are absent. */
export async function listMembers(
  executor: Executor,
  tagSerials: readonly string[],
  fresh: Fresh,
  { seeing, offset, limit }: { readonly seeing: Seeing; readonly offset: number; readonly limit: number },
): Promise<ReadonlyMap<string, MembersPage>> {
  const { values, parameter } = newParameters();
  const asked = parameter(textArray(tagSerials));
  // Before they are counted: pages with gaps would tell that there are members whom the provider may not see.
  const { rows } = await executor.query<[tag: string, serial: string, name: string]>({
    text: `SELECT asked.tag, member.serial, member.name
           FROM unnest(${asked}::text[]) AS asked (tag) CROSS JOIN LATERAL (
             SELECT users.serial, users.name
             FROM (${holders('asked.tag', fresh, parameter)}) AS holders JOIN users ON users.serial = holders.serial
             WHERE ${isSeen(seeing, parameter)}
             ORDER BY users.serial LIMIT ${limit + 1} OFFSET ${offset}) AS member
           ORDER BY asked.tag, member.serial`,
    values,
    rowMode: 'array',
  });
  const found = new Map<string, typeof rows>();
  for (const row of rows) {
    const others = found.get(row[0]);
    if (others) others.push(row);
    else found.set(row[0], [row]);
  }
  return new Map(
    [...found].map(([tag, members]) => [
      tag,
      {
        users: members.slice(0, limit).map(([, serial, name]) => ({ serial, name })),
        hasMore: members.length > limit,
      },
    ]),
  );
}
