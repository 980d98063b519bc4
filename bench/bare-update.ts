import type pg from 'pg';
import { v7 } from 'uuid';
import { joinedLists, plainArray, textArray } from '../src/storage/sql.js';
import { timedMs } from './figures.js';
import type { User, UserChange, Workload } from './users.js';

/**
 * The minimal cost of a bulk update on one connection: one transaction with one lock, one statement that updates users
 * and writes precomputed change log rows, and one that records the call. No planning and no report. Like the service,
 * it writes only the fields that the workload changes.
 */
export async function updateInBareSql(
  client: pg.Client,
  changes: readonly UserChange[],
  workload: Workload,
): Promise<number> {
  const logged = changes.map(logText).join('\u001f');
  let changed = 0;
  const ms = await timedMs(async () => {
    await client.query('BEGIN');
    if (workload === 'tenth' || workload === 'nothing') {
      changed = await updateWhereDifferent(client, changes, logged);
    } else {
      const serials = await lock(client, changes, workload === 'chains');
      if (workload === 'chains') await parkNames(client, changes, serials);
      changed = await update(client, changes, { logged, fields: fieldsOf[workload], serials });
    }
    await recordCall(client, changes.length, changed);
    await client.query('COMMIT');
  });
  const expected = changes.filter(({ before, after }) => before !== after).length;
  if (changed !== expected) throw new Error(`${changed} users were changed instead of ${expected}`);
  return ms;
}

/** Records the call, so that it can be viewed and undone later, and its end in the change log. */
async function recordCall(client: pg.Client, items: number, changed: number): Promise<void> {
  await client.query({
    name: 'bare-record-call',
    text: `WITH call AS (
             INSERT INTO calls (id, claim, kind, items, actor_kind, actor_id, request_id, succeeded, failed, changes, state,
                                finished_at)
             VALUES ($1, 1, 'update-bulk', $2, 'client', 'bench', 'bench', $2, 0, $3, 'completed', now()))
           INSERT INTO changes (kind, call_id, actor_kind, actor_id, request_id, fields)
           VALUES ('call', $1, 'client', 'bench', 'bench', json_build_object('items', $2::integer, 'changes', $3::integer))`,
    values: [v7(), items, changed],
  });
}

const fieldsOf = {
  phones: ['phone'],
  status: ['isActive'],
  names: ['name'],
  all: ['name', 'phone', 'isActive'],
  mixed: ['name', 'phone', 'isActive', 'tagSerials'],
  renames: ['employeeID', 'username'],
  chains: ['employeeID', 'username'],
} as const satisfies Partial<Record<Workload, readonly (keyof User)[]>>;

const columns: Record<keyof User, { name: string; type: string }> = {
  employeeID: { name: 'employee_id', type: 'text' },
  name: { name: 'name', type: 'text' },
  username: { name: 'username', type: 'text' },
  phone: { name: 'phone', type: 'text' },
  isActive: { name: 'is_active', type: 'boolean' },
  tagSerials: { name: 'tag_serials', type: 'text' }, // joined
};

/** What the change log stores for a change. */
export function logText({ before, after }: UserChange): string {
  const fields = (Object.keys(columns) as (keyof User)[]).filter((field) => before[field] !== after[field]);
  return JSON.stringify(
    Object.fromEntries(fields.map((field) => [field, { before: before[field], after: after[field] }])),
  );
}

/** Returns the serials in the order of the changes, if needed. */
async function lock(
  client: pg.Client,
  changes: readonly UserChange[],
  serialsNeeded: boolean,
): Promise<string[]> {
  const { rows } = await client.query<[serial: string, employeeID: string]>({
    name: 'bare-lock',
    text: `SELECT serial, employee_id FROM users WHERE employee_id = ANY ($1::text[]) ORDER BY serial FOR UPDATE`,
    values: [textArray(changes.map(({ before }) => before.employeeID))],
    rowMode: 'array',
  });
  if (!serialsNeeded) return [];
  const serials = new Map(rows.map(([serial, employeeID]) => [employeeID, serial]));
  return changes.map(({ before }) => serials.get(before.employeeID) as string);
}

/** Unique indexes are checked row by row, so a name that passes between users is first taken from its holder. */
async function parkNames(
  client: pg.Client,
  changes: readonly UserChange[],
  serials: readonly string[],
): Promise<void> {
  const taken = new Set(changes.map(({ after }) => after.employeeID));
  const givers = plainArray(serials.filter((_, index) => taken.has(changes[index]?.before.employeeID ?? '')));
  await client.query({
    name: 'bare-park-employee-ids',
    text: `UPDATE users SET employee_id = '~' || serial::text WHERE serial = ANY ($1::uuid[])`,
    values: [givers],
  });
  await client.query({
    name: 'bare-park-usernames',
    text: 'UPDATE users SET username = NULL WHERE serial = ANY ($1::uuid[])',
    values: [givers],
  });
}

const insertLog = `INSERT INTO changes (user_serial, version, employee_id, fields, kind, call_id, actor_kind, actor_id, request_id)
  SELECT serial, version, employee_id, fields::json, 'updated', $1::uuid, 'client', 'bench', 'bench' FROM updated`;

/** By serial if given, because employee IDs may be parked; otherwise by employee ID. */
async function update(
  client: pg.Client,
  changes: readonly UserChange[],
  {
    logged,
    fields,
    serials,
  }: { logged: string; fields: readonly (keyof User)[]; serials: readonly string[] },
): Promise<number> {
  const bySerial = serials.length > 0;
  const { arrays, separator } = arraysOf(changes, fields);
  const assignments = fields.map((field) => {
    const { name } = columns[field];
    return `${name} = ${field === 'tagSerials' ? `string_to_array(new.${name}, $${arrays.length + 4})` : `new.${name}`}`;
  });
  const { rowCount } = await client.query({
    name: `bare-update-${bySerial}-${fields.join('-')}`,
    text: `WITH updated AS (
             UPDATE users SET ${assignments.join(', ')}, version = users.version + 1, updated_at = now()
             FROM unnest($2::${bySerial ? 'uuid' : 'text'}[], string_to_array($3, E'\\x1f'),
                         ${fields.map((field, index) => `$${index + 4}::${columns[field].type}[]`).join(', ')})
               AS new (key, fields, ${fields.map((field) => columns[field].name).join(', ')})
             WHERE users.${bySerial ? 'serial' : 'employee_id'} = new.key
             RETURNING users.serial, users.version, users.employee_id, new.fields)
           ${insertLog}`,
    values: [
      v7(),
      bySerial ? plainArray(serials) : textArray(changes.map(({ before }) => before.employeeID)),
      logged,
      ...arrays,
      ...separator,
    ],
  });
  return rowCount ?? 0;
}

/** For workloads in which most values are already stored: the database finds the new ones and locks nothing else. */
async function updateWhereDifferent(
  client: pg.Client,
  changes: readonly UserChange[],
  logged: string,
): Promise<number> {
  const { arrays, separator } = arraysOf(changes, fieldsOf.mixed);
  const { rowCount } = await client.query({
    name: 'bare-update-where-different',
    text: `WITH updated AS (
             UPDATE users SET name = new.name, phone = new.phone, is_active = new.is_active,
                              tag_serials = new.tags, version = users.version + 1, updated_at = now()
             FROM (SELECT key, fields, name, phone, is_active, string_to_array(tags, $8) AS tags
                   FROM unnest($2::text[], string_to_array($3, E'\\x1f'), $4::text[], $5::text[], $6::boolean[], $7::text[])
                     AS new (key, fields, name, phone, is_active, tags)) AS new
             WHERE users.employee_id = new.key
               AND (users.name, users.phone, users.is_active, users.tag_serials)
                 IS DISTINCT FROM (new.name, new.phone, new.is_active, new.tags)
             RETURNING users.serial, users.version, users.employee_id, new.fields)
           ${insertLog}`,
    values: [
      v7(),
      textArray(changes.map(({ before }) => before.employeeID)),
      logged,
      ...arrays,
      ...separator,
    ],
  });
  return rowCount ?? 0;
}

/** The values of each field, and the separator of tags if there are any. */
function arraysOf(
  changes: readonly UserChange[],
  fields: readonly (keyof User)[],
): { arrays: string[]; separator: string[] } {
  const tags = fields.includes('tagSerials')
    ? joinedLists(changes.map(({ after }) => after.tagSerials))
    : undefined;
  const arrays = fields.map((field) => {
    if (field === 'tagSerials') return tags?.joined ?? '';
    if (field === 'isActive') return plainArray(changes.map(({ after }) => after.isActive));
    return textArray(changes.map(({ after }) => after[field]));
  });
  return { arrays, separator: tags ? [tags.separator] : [] };
}
