import { lookupKeys } from '../../scim/stored-data.js';
import type { Executor } from '../database.js';
import { newParameters, plainArray, textArray } from '../sql.js';
import { isNotDeleted, isSeen, type Seeing } from './user-sources.js';

/** A text that may mean a user, and the serial that it is, if it is one. */
export interface UserReference {
  readonly text: string;
  readonly serial: string | null;
}

export interface MeantUser {
  readonly serial: string;
  readonly employeeID: string;
}

/** Whoever a provider may mean by each of these texts: by serial, by its own ID, or by employee ID. */
export async function usersMeantBy(
  executor: Executor,
  { clientId, isOwn }: { readonly clientId: string; readonly isOwn: boolean },
  references: readonly UserReference[],
): Promise<ReadonlyMap<string, MeantUser>> {
  if (references.length === 0) return new Map();
  const texts = references.map(({ text }) => text);
  const keys = texts.map((text) => lookupKeys.externalId(clientId, text));
  const serials = references.map(({ serial }) => serial);
  const { rows } = await executor.query<MeantUser & { at: string }>({
    name: 'users-meant-by',
    text: `SELECT wanted.at, meant.serial, meant.employee_id AS "employeeID"
           FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS wanted(text, key, serial, at)
           CROSS JOIN LATERAL (
             SELECT serial, employee_id FROM users
             WHERE (serial = wanted.serial::uuid OR employee_id = wanted.text
                OR (scim -> 'keys') @> to_jsonb(ARRAY[wanted.key]))
               AND ${isNotDeleted} AND (NOT $4::boolean OR (scim -> 'providers') ? $5)
             ORDER BY serial = wanted.serial::uuid DESC NULLS LAST, employee_id = wanted.text LIMIT 1
           ) AS meant`,
    values: [...[texts, keys, serials].map(textArray), isOwn, clientId],
  });
  return new Map(
    rows.map(({ at, serial, employeeID }) => [texts[Number(at) - 1] as string, { serial, employeeID }]),
  );
}

/** The names of those of the managers whom the provider sees. */
export async function managersSeenBy(
  executor: Executor,
  serials: readonly string[],
  seeing: Seeing,
): Promise<ReadonlyMap<string, string>> {
  if (serials.length === 0) return new Map();
  const { values, parameter } = newParameters();
  const { rows } = await executor.query<[serial: string, name: string]>({
    name: `managers-seen-by-${seeing.isOwn ? 'owner' : 'all'}`,
    text: `SELECT serial, name FROM users
           WHERE serial = ANY (${parameter(plainArray([...new Set(serials)]))}::uuid[]) AND ${isSeen(seeing, parameter)}`,
    values,
    rowMode: 'array',
  });
  return new Map(rows);
}

/** For each text the organization with this serial, or else all that are called so, up to two. */
export async function organizationsMeantBy(
  executor: Executor,
  texts: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (texts.length === 0) return new Map();
  const { rows } = await executor.query<{ at: string; serial: string }>({
    name: 'organizations-meant-by',
    text: `SELECT wanted.at, meant.serial
           FROM unnest($1::text[]) WITH ORDINALITY AS wanted(text, at)
           CROSS JOIN LATERAL (
             SELECT serial FROM organizations WHERE serial = wanted.text OR name_key = entry_key(wanted.text)
             ORDER BY serial = wanted.text DESC, serial LIMIT 2
           ) AS meant
           ORDER BY wanted.at, meant.serial = wanted.text DESC, meant.serial`,
    values: [textArray(texts)],
  });
  const meant = new Map<string, string[]>();
  for (const { at, serial } of rows) {
    const text = texts[Number(at) - 1] as string;
    const known = meant.get(text);
    if (!known) meant.set(text, [serial]);
    else if (known[0] !== text) known.push(serial);
  }
  return meant;
}

/**
 * Users whose manager was sent as one of these texts, which meant nobody, and others who report to one of these managers:
 * the log may know what was sent before.
 */
export async function usersManagedBy(
  tx: Executor,
  texts: readonly string[],
  managers: readonly { readonly serial: string }[],
): Promise<{ readonly managed: readonly string[]; readonly reports: readonly string[] }> {
  const { rows } = await tx.query<{ serial: string; isReport: boolean }>({
    name: 'users-managed-by',
    text: `SELECT DISTINCT serial, false AS "isReport" FROM unnest($1::text[]) AS wanted (key) CROSS JOIN LATERAL (
             SELECT serial FROM users WHERE (scim -> 'keys') @> to_jsonb(ARRAY[key]) OFFSET 0) AS managed
           UNION ALL
           SELECT serial, true FROM users WHERE manager_serial = ANY ($2::uuid[]) AND scim IS NOT NULL`,
    values: [textArray(texts.map(lookupKeys.manager)), plainArray(managers.map(({ serial }) => serial))],
  });
  const serials = (isReport: boolean) => rows.flatMap((row) => (row.isReport === isReport ? row.serial : []));
  return { managed: serials(false), reports: serials(true) };
}
