import type pg from 'pg';
import { v7 } from 'uuid';
import { joinedLists, plainArray, textArray } from '../src/storage/sql-arrays.js';
import { type Figures, figuresOf, timedMs } from './figures.js';
import type { Item, People, Workload } from './people.js';
import type { Service } from './processes.js';

export const bulkSizes = [100, 1_000, 10_000] as const;
export const bulkVariants = ['HTTP', 'preview', 'bare SQL', 'naive loop'] as const;
export type BulkSize = (typeof bulkSizes)[number];
export type BulkVariant = (typeof bulkVariants)[number];
export type BulkFigures = Record<BulkSize, Record<BulkVariant, Figures>>;

const rounds = 8;
/** Small calls are short and noisy, so each round has more of them. */
const callsPerRound: Record<BulkSize, number> = { 100: 6, 1000: 3, 10000: 1 };
/** The naive loop takes seconds at this size; every third round is enough to know by how much. */
const isSkipped = (variant: BulkVariant, size: BulkSize, round: number) =>
  variant === 'naive loop' && size === 10_000 && round % 3 !== 0;

type Run = (items: readonly Item[]) => Promise<number>;

/** The variants take turns, so that whatever else the machine does falls on all of them alike. */
export async function measureBulkUpdate(
  service: Service,
  client: pg.Client,
  people: People,
  workload: Workload,
): Promise<BulkFigures> {
  const changes = (count: number) => people.changes(count, workload);
  const runs: Record<BulkVariant, Run> = {
    HTTP: (items) => overHttp(service, items),
    preview: (items) => overHttp(service, items, '?dryRun=true'),
    'bare SQL': (items) => inBareSql(client, items),
    'naive loop': (items) => inNaiveLoop(client, items),
  };
  await warmUp(runs, changes);

  const taken = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    for (const size of bulkSizes) {
      for (let call = 0; call < callsPerRound[size]; call++) {
        for (const variant of rotated(bulkVariants, round + call)) {
          if (isSkipped(variant, size, round)) continue;
          const ms = await runs[variant](changes(size));
          taken.set(`${variant} ${size}`, [...(taken.get(`${variant} ${size}`) ?? []), ms]);
        }
      }
    }
  }
  const figures = (size: BulkSize) =>
    Object.fromEntries(
      bulkVariants.map((variant) => [variant, figuresOf(taken.get(`${variant} ${size}`) ?? [])]),
    ) as Record<BulkVariant, Figures>;
  return { 100: figures(100), 1000: figures(1_000), 10000: figures(10_000) };
}

/** More than five calls of each kind: from the sixth on PostgreSQL settles on one plan for a prepared statement. */
async function warmUp(runs: Record<BulkVariant, Run>, changes: (count: number) => Item[]): Promise<void> {
  for (const size of [100, 100, 100, 100, 1_000, 1_000, 10_000, 10_000] as const) {
    for (const variant of bulkVariants) {
      if (variant !== 'naive loop' || size === 100) await runs[variant](changes(size));
    }
  }
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

/** From the JSON text in the caller's memory to the last byte of the report. */
export async function overHttp(service: Service, items: readonly Item[], query = ''): Promise<number> {
  const body = JSON.stringify({ items });
  let report = '';
  const ms = await timedMs(async () => {
    report = (await service.post(`/service/users/update-bulk${query}`, body)).text;
  });
  const reply = JSON.parse(report) as { data?: { successItems: unknown[] } };
  allChanged(reply.data?.successItems.length, items);
  return ms;
}

/**
 * The least that the same change can cost: one transaction, one lock, and one statement that updates and writes the rows
 * of the change log, whose text is there already. No plan and no report.
 */
async function inBareSql(client: pg.Client, items: readonly Item[]): Promise<number> {
  let changed: number | null = 0;
  const logged = items
    .map(({ phone }) => JSON.stringify({ phone: { before: phone, after: phone } }))
    .join('\u001f');
  const ms = await timedMs(async () => {
    const employeeIDs = textArray(items.map((item) => item.employeeID));
    const tags = joinedLists(items.map((item) => item.tagSerials));
    await client.query('BEGIN');
    await client.query({
      name: 'bare-lock',
      text: `SELECT serial, employee_id FROM users WHERE employee_id = ANY ($1::text[]) ORDER BY serial FOR UPDATE`,
      values: [employeeIDs],
      rowMode: 'array',
    });
    const result = await client.query({
      name: 'bare-update',
      text: `WITH updated AS (
               UPDATE users SET name = new.name, phone = new.phone, is_active = new.is_active,
                                tag_serials = string_to_array(new.tags, $6),
                                version = version + 1, updated_at = now()
               FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[], $5::text[], string_to_array($7, E'\\x1f'))
                 AS new (employee_id, name, phone, is_active, tags, fields)
               WHERE users.employee_id = new.employee_id
               RETURNING users.serial, users.version, users.employee_id, new.fields)
             INSERT INTO changes (user_serial, version, employee_id, fields, kind, call_id, actor_kind, actor_id, request_id)
             SELECT serial, version, employee_id, fields::json, 'updated', $8, 'client', 'bench', 'bench' FROM updated`,
      values: [
        employeeIDs,
        textArray(items.map((item) => item.name)),
        textArray(items.map((item) => item.phone)),
        plainArray(items.map((item) => item.isActive)),
        tags.joined,
        tags.separator,
        logged,
        v7(),
      ],
    });
    await client.query('COMMIT');
    changed = result.rowCount;
  });
  allChanged(changed, items);
  return ms;
}

/**
 * What a script without a bulk call does: one UPDATE per person, each a transaction of its own that writes its row of the
 * change log too, the statement sent with its values every time.
 */
async function inNaiveLoop(client: pg.Client, items: readonly Item[]): Promise<number> {
  let changed = 0;
  const ms = await timedMs(async () => {
    for (const item of items) {
      const result = await client.query({
        text: `WITH updated AS (
                 UPDATE users SET name = $2, phone = $3, is_active = $4, tag_serials = $5,
                                  version = version + 1, updated_at = now()
                 WHERE employee_id = $1 RETURNING serial, version, employee_id)
               INSERT INTO changes (user_serial, version, employee_id, fields, kind)
               SELECT serial, version, employee_id, $6, 'updated' FROM updated`,
        values: [
          item.employeeID,
          item.name,
          item.phone,
          item.isActive,
          textArray(item.tagSerials),
          JSON.stringify({ phone: { before: item.phone, after: item.phone } }),
        ],
      });
      changed += result.rowCount ?? 0;
    }
  });
  allChanged(changed, items);
  return ms;
}

function allChanged(changed: number | null | undefined, items: readonly Item[]): void {
  if (changed !== items.length) throw new Error(`${changed} of ${items.length} people were changed`);
}
