import type { ProvisionedGroup } from '../../scim/group-resource.js';
import type { BoundFilter } from '../../scim/language/bound-filter.js';
import type { ScimAttribute, Steps } from '../../scim/language/schema.js';
import { urns } from '../../scim/schemas.js';
import type { Executor } from '../database.js';
import { differences, isListed } from '../directories/entries.js';
import { newParameters, type Parameter, plainArray, textArray } from '../sql.js';
import { type GroupColumns, groupColumns, groupOf } from './groups.js';
import { foldedText, userCondition } from './user-filter.js';
import { isSeen, isUuid, type Seeing, type SimpleSource, type Source, type Sources } from './user-sources.js';

/** Which groups a provider asks for. */
export interface AskedGroups {
  readonly clientId: string;
  /** Without members, of which the directory knows nothing. */
  readonly filter: BoundFilter | undefined;
  /** Whether only groups that the provider manages are listed. */
  readonly isOwn: boolean;
  /** Users changed since they were indexed. */
  readonly fresh: readonly string[];
}

export interface GroupPage {
  /** Undefined is the order of serials. */
  readonly sortBy: Steps | undefined;
  readonly descending: boolean;
  readonly start: { readonly offset: number } | { readonly after: GroupPosition };
  readonly limit: number;
}

export interface GroupPosition {
  /** What the group is sorted by, as a text. Null if there is no value. */
  readonly key: string | null;
  readonly serial: string;
}

export interface PlacedGroup {
  readonly group: ProvisionedGroup;
  readonly position: GroupPosition;
}

export async function listProvisionedGroups(
  executor: Executor,
  asked: AskedGroups,
  { sortBy, descending, start, limit }: GroupPage,
): Promise<PlacedGroup[]> {
  const { values, parameter } = newParameters();
  const from = listedGroups(asked, parameter);
  const key = sortBy ? sortKey(sortBy, groupSources(asked, parameter)) : noKey;
  const direction = descending ? 'DESC' : 'ASC';
  const position = 'after' in start ? afterPosition(start.after, key, descending, parameter) : 'true';
  const { rows } = await executor.query<GroupColumns & { key: string | null; sorted: unknown }>({
    text: `${from.with} SELECT *, sorted::text AS key
           FROM (SELECT ${groupColumns}, ${key.sql} AS sorted FROM ${from.sql}) AS found
           WHERE ${position} ORDER BY sorted ${direction}, serial ${direction}
           LIMIT ${limit} OFFSET ${'offset' in start ? start.offset : 0}`,
    values,
  });
  return rows.map(({ key: text, sorted: _, ...row }) => ({
    group: groupOf(row),
    position: { key: text, serial: row.serial },
  }));
}

export async function countProvisionedGroups(executor: Executor, asked: AskedGroups): Promise<number> {
  const { values, parameter } = newParameters();
  const from = listedGroups(asked, parameter);
  const { rows } = await executor.query<{ count: number }>({
    text: `${from.with} SELECT count(*)::integer AS count FROM ${from.sql}`,
    values,
  });
  return rows[0]?.count ?? 0;
}

/** Also tags that users have just got, and that are not in the directory yet. */
function listedGroups(asked: AskedGroups, parameter: Parameter) {
  // The first parameter is the one that `differences` expects.
  parameter(plainArray(asked.fresh));
  const { filter, isOwn, clientId } = asked;
  const conditions = [
    ...(filter ? [`(${userCondition(filter, groupSources(asked, parameter), parameter).sql})`] : []),
    ...(isOwn ? [`known.providers @> ARRAY[${parameter(clientId)}::text]`] : []),
  ];
  return {
    with: `WITH difference AS MATERIALIZED (${differences('tags')})`,
    sql: `(SELECT serial, display_name, added_at FROM tags WHERE ${isListed('tags')}
           UNION ALL SELECT serial, NULL, NULL FROM difference
           WHERE total > 0 AND NOT EXISTS (SELECT FROM tags WHERE tags.serial = difference.serial)) AS entry
         LEFT JOIN scim_groups AS known ON known.tag_serial = entry.serial
         WHERE ${['true', ...conditions].join(' AND ')}`,
  };
}

/** How SQL computes the attributes of a group, as `groupResource` shows them. */
function groupSources({ clientId }: Pick<AskedGroups, 'clientId'>, parameter: Parameter): Sources {
  const text = (sql: string, lookup?: SimpleSource['lookup']): SimpleSource => ({
    ...{ kind: 'simple', type: 'text', sql },
    ...(lookup && { lookup }),
  });
  const instant = (sql: string): SimpleSource => ({ kind: 'simple', type: 'instant', sql });
  const meta: Readonly<Record<string, () => Source>> = {
    resourceType: () => text(`'Group'::text`),
    created: () => instant(`coalesce(known.created_at, nullif(entry.added_at, '-infinity'))`),
    lastModified: () => instant(`coalesce(known.updated_at, nullif(entry.added_at, '-infinity'))`),
    version: () => text(`'W/"' || coalesce(known.version, 1) || '"'`),
  };
  const sources: Readonly<Record<string, () => Source>> = {
    schemas: () => text(`'${urns.group}'::text`),
    id: () => text('entry.serial', (value) => `entry.serial = ${parameter(value)}::text`),
    externalId: () => ({
      ...text(''),
      // Adds the parameter when it is written: a statement may have none that it doesn't use.
      get sql() {
        return `known.external_ids ->> ${parameter(clientId)}::text`;
      },
    }),
    displayName: () => text('coalesce(entry.display_name, entry.serial)'),
    meta: () => ({
      ...{ kind: 'complex', exists: 'true' },
      sub: (name) => (Object.hasOwn(meta, name) ? meta[name]?.() : undefined),
    }),
  };
  return (name) => (Object.hasOwn(sources, name) ? sources[name]?.() : undefined);
}

interface SortKey {
  readonly sql: string;
  readonly type: 'text' | 'numeric';
}

const noKey: SortKey = { sql: 'NULL::text', type: 'text' };

function sortKey(steps: Steps, sources: Sources): SortKey {
  const [first, ...rest] = steps;
  let source = sources(first.name);
  let leaf: ScimAttribute = first;
  for (const step of rest) {
    source = source?.kind === 'complex' ? source.sub(step.name) : undefined;
    leaf = step;
  }
  if (source?.kind !== 'simple') return noKey;
  if (source.type === 'instant') return { sql: `extract(epoch FROM ${source.sql})`, type: 'numeric' };
  return { sql: foldedText(source.sql, leaf), type: 'text' };
}

/** Groups without a value come last, or first in descending order. */
function afterPosition(
  { key, serial }: GroupPosition,
  { type }: SortKey,
  descending: boolean,
  parameter: Parameter,
): string {
  const beyond = descending ? '<' : '>';
  const place = `${parameter(serial)}::text COLLATE "C"`;
  if (key === null) {
    const isBeyond = `serial ${beyond} ${place}`;
    return descending ? `(sorted IS NOT NULL OR ${isBeyond})` : `(sorted IS NULL AND ${isBeyond})`;
  }
  const value = `${parameter(key)}::${type}${type === 'text' ? ' COLLATE "C"' : ''}`;
  const others = `(sorted, serial) ${beyond} (${value}, ${place})`;
  return descending ? others : `(${others} OR sorted IS NULL)`;
}

/** Whether groups can be in this position of a list. */
export function isGroupPosition(
  facts: Pick<AskedGroups, 'clientId'>,
  sortBy: Steps | undefined,
  { key }: GroupPosition,
): boolean {
  const { type } = sortBy ? sortKey(sortBy, groupSources(facts, newParameters().parameter)) : noKey;
  return key === null || type === 'text' || /^-?\d{1,40}(?:\.\d{1,40})?$/.test(key);
}

/** The groups that an index leads to, for filters that compare one attribute for equality. */
export const groupLookups = {
  /** All tags that are called so, and perhaps some that are called nearly so. */
  displayName: (executor: Executor, displayName: string, fresh: readonly string[]) =>
    serials(
      executor,
      `SELECT serial FROM tags WHERE name_key = entry_key($1)
       UNION SELECT tag FROM users CROSS JOIN LATERAL unnest(tag_serials) AS tag
       WHERE users.serial = ANY ($2::uuid[]) AND entry_key(tag) = entry_key($1)`,
      [displayName, plainArray(fresh)],
    ),
  externalId: (executor: Executor, externalId: string, clientId: string) =>
    serials(executor, 'SELECT tag_serial FROM scim_groups WHERE external_ids @> $1', [
      JSON.stringify({ [clientId]: externalId }),
    ]),
  /** The user's own row tells their tags. Someone whom the provider doesn't see is only what was sent about them. */
  member(executor: Executor, value: string, seeing: Seeing): Promise<string[]> {
    const { values, parameter } = newParameters();
    const user = `users.serial = ${parameter(isUuid(value) ? value : null)}::uuid AND ${isSeen(seeing, parameter)}`;
    const sent = `${parameter(textArray([value]))}::text[]`;
    return serials(
      executor,
      `SELECT unnest(tag_serials) FROM users WHERE ${user}
       UNION SELECT tag_serial FROM scim_groups
       WHERE members ?| ${sent} AND NOT coalesce((members -> ${parameter(value)}::text ->> 'isUser')::boolean, false)
         AND NOT EXISTS (SELECT FROM users WHERE ${user})`,
      values,
    );
  },
} as const;

async function serials(executor: Executor, text: string, values: unknown[]): Promise<string[]> {
  const { rows } = await executor.query<[serial: string]>({ text, values, rowMode: 'array' });
  return rows.map(([serial]) => serial);
}
