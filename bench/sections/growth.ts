import type pg from 'pg';
import { updateInBareSql } from '../bare-update.js';
import { updateOverHttp } from '../bulk-calls.js';
import { type Figures, ratio, shown, spread } from '../figures.js';
import { interleaved, type Measure } from '../interleaved.js';
import type { Section, SectionTable, Target } from '../section.js';
import type { Service } from '../service.js';
import { progress, type Stage } from '../stage.js';
import { Users } from '../users.js';

const itemCounts = [100, 300, 1_000, 3_000, 10_000] as const;
const userCounts = [10_000, 100_000, 1_000_000] as const;
const usualItems = 1_000;
const usualUsers = 100_000;
const rounds = 8;
const warmUpCalls = 25;
/** Small calls are short and noisy. */
const callsPerMeasure = (items: number) => Math.max(1, Math.min(5, Math.round(1_000 / items)));
const workload = 'phones';
const growthMax = 1.5;

/** In µs per item. */
export interface GrowthPoint {
  readonly items: number;
  readonly users: number;
  readonly http: Figures;
  readonly bare: Figures;
}

export interface GrowthData {
  readonly byItems: readonly GrowthPoint[];
  readonly byUsers: readonly GrowthPoint[];
}

interface Table {
  readonly users: number;
  readonly service: Service;
  readonly client: pg.Client;
  readonly population: Users;
}

export async function growth(stage: Stage): Promise<Section> {
  const { quick } = stage.options;
  const counts = quick ? userCounts.slice(0, 2) : userCounts;
  const tables: Table[] = [];
  for (const users of counts) tables.push(await openTable(stage, users));
  const usual = tables.find(({ users }) => users === usualUsers) as Table;
  const points = [
    ...itemCounts.map((items) => ({ items, table: usual })),
    ...tables.filter((table) => table !== usual).map((table) => ({ items: usualItems, table })),
  ];

  progress('calls and tables of each size');
  const variants = Object.fromEntries(
    points.flatMap(({ items, table }) => [
      [nameOf('http', items, table.users), microsecondsPerItem(items, () => overHttp(table, items))],
      [nameOf('bare', items, table.users), microsecondsPerItem(items, () => inBareSql(table, items))],
    ]),
  );
  // One table gets more requests than the others, so its service would otherwise be the only one at full speed.
  for (const table of tables) {
    for (let call = 0; call < warmUpCalls; call++) await overHttp(table, usualItems);
  }
  await interleaved(2, variants);
  const figures = await interleaved(quick ? 1 : rounds, variants);
  for (const { service } of tables) await service.stop();

  const measured = points.map(
    ({ items, table: { users } }): GrowthPoint => ({
      items,
      users,
      http: figures[nameOf('http', items, users)] as Figures,
      bare: figures[nameOf('bare', items, users)] as Figures,
    }),
  );
  return reportOf({
    byItems: measured.filter(({ users }) => users === usualUsers),
    byUsers: measured.filter(({ items }) => items === usualItems).toSorted((a, b) => a.users - b.users),
  });
}

function nameOf(variant: 'http' | 'bare', items: number, users: number): string {
  return `${variant} ${items} ${users}`;
}

async function openTable(stage: Stage, users: number): Promise<Table> {
  const databaseUrl = await stage.users(users);
  const client = await stage.connect(databaseUrl);
  const population = await Users.read(client);
  return { users, client, population, service: await stage.startService({ databaseUrl }) };
}

function overHttp({ service, population }: Table, items: number): Promise<number> {
  return updateOverHttp(service, population.changes(items, workload));
}

function inBareSql({ client, population }: Table, items: number): Promise<number> {
  return updateInBareSql(client, population.changes(items, workload), workload);
}

function microsecondsPerItem(items: number, call: () => Promise<number>): Measure {
  return async () => {
    let ms = 0;
    const calls = callsPerMeasure(items);
    for (let each = 0; each < calls; each++) ms += await call();
    return ((ms / calls) * 1_000) / items;
  };
}

function reportOf(data: GrowthData): Section {
  const { byItems, byUsers } = data;
  return {
    title: 'Growth',
    intro: `The cost of one item in a bulk update of phone numbers, in µs, by the size of the call and of the table. The range contains half of the
measurements.`,
    tables: [
      tableOf(`By size of the call, ${usualUsers.toLocaleString('en')} users`, 'items', byItems),
      tableOf(`By size of the table, ${usualItems.toLocaleString('en')} items`, 'users', byUsers),
    ],
    notes: [],
    targets: [
      targetOf(`an item of a call with ${span(byItems, 'items')} items`, byItems),
      targetOf(`an item with ${span(byUsers, 'users')} users`, byUsers),
    ],
    data,
  };
}

function tableOf(caption: string, by: 'items' | 'users', points: readonly GrowthPoint[]): SectionTable {
  return {
    caption,
    head: [by, 'HTTP', 'p25 – p75', 'bare SQL', 'p25 – p75', '× bare SQL'],
    rows: points.map((point) => [
      point[by].toLocaleString('en'),
      shown(point.http.median),
      spread(point.http),
      shown(point.bare.median),
      spread(point.bare),
      shown(ratio(point.http, point.bare)),
    ]),
  };
}

function span(points: readonly GrowthPoint[], by: 'items' | 'users'): string {
  return `${points[0]?.[by].toLocaleString('en')} to ${points.at(-1)?.[by].toLocaleString('en')}`;
}

function targetOf(what: string, points: readonly GrowthPoint[]): Target {
  const medians = points.map(({ http }) => http.median);
  const bareMedians = points.map(({ bare }) => bare.median);
  const times = Math.max(...medians) / Math.min(...medians);
  const bareTimes = Math.max(...bareMedians) / Math.min(...bareMedians);
  return {
    target: `${what}: costs within a factor of ${growthMax}`,
    measured: `${shown(times)} × (bare SQL: ${shown(bareTimes)} ×)`,
    met: times <= growthMax,
  };
}
