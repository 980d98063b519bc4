import { type Figures, ratio, shown, spread } from '../figures.js';
import type { Section, SectionTable, Target } from '../section.js';
import { userCount, type Workload } from '../users.js';
import { type UpsertFigures, upsertTable, upsertTargets } from './upserts.js';

export type BulkVariant = 'one connection' | 'as shipped' | 'preview' | 'bare SQL' | 'naive loop';
export type BulkSize = 100 | 1_000 | 10_000;

export interface MeasuredBulk {
  readonly workload: Workload;
  readonly title: string;
  readonly size: BulkSize;
  /** In ms per call; undefined if not measured. */
  readonly figures: Partial<Record<BulkVariant, Figures>>;
}

/** The maximum time of a call on one connection, as a multiple of bare SQL. */
const ratioMax: Partial<Record<Workload, Partial<Record<BulkSize, number>>>> = {
  phones: { 100: 1.3, 1000: 1.15, 10000: 1.15 },
  mixed: { 100: 1.3, 1000: 1.15, 10000: 1.15 },
  renames: { 10000: 1.5 },
  chains: { 10000: 1.5 },
};
const twoConnectionsRatioMax = 1;
const unchangedItemsPerSecondMin = 100_000;

export function bulkReport(
  measured: readonly MeasuredBulk[],
  upserts: UpsertFigures,
  canBeLimited: boolean,
): Section {
  const titles = [...new Set(measured.map(({ title }) => title))];
  return {
    title: 'Bulk update',
    intro: `One call at a time, ${userCount.toLocaleString('en')} users. Bare SQL is one transaction on one connection that locks, updates,
writes the change log and records the call, with named statements, but without a plan or a report. As shipped, a call uses a second connection
while the pool is idle; "one connection" is the same service limited to one. The naive loop runs one UPDATE per user.`,
    tables: [
      ...titles.map((title) =>
        tableOf(
          title,
          measured.filter((each) => each.title === title),
        ),
      ),
      upsertTable(upserts),
    ],
    notes: canBeLimited
      ? []
      : ['This service has no setting bulkConnectionsMax, so it was measured only as shipped.'],
    targets: [...targetsOf(measured, canBeLimited), ...upsertTargets(upserts)],
    data: { updates: measured, upserts },
  };
}

function tableOf(caption: string, measured: readonly MeasuredBulk[]): SectionTable {
  const rows = measured.flatMap(({ size, figures }) =>
    Object.entries(figures).map(([variant, each]) => [
      size.toLocaleString('en'),
      variant,
      shown(each.median),
      spread(each),
      shown((each.median / size) * 1_000),
      shown(ratio(each, figures['bare SQL'])),
      String(each.rounds),
    ]),
  );
  return {
    caption,
    head: ['items', 'variant', 'ms', 'p25 – p75', 'µs per item', '× bare SQL', 'calls'],
    rows,
  };
}

function targetsOf(measured: readonly MeasuredBulk[], canBeLimited: boolean): Target[] {
  const onOne = measured.flatMap(({ workload, size, figures }) => {
    const max = ratioMax[workload]?.[size];
    if (max === undefined) return [];
    const times = ratio(figures['one connection'] ?? figures['as shipped'], figures['bare SQL']);
    return [
      {
        target: `${size.toLocaleString('en')} items (${workload}), one connection: at most ${max} × bare SQL`,
        measured: `${shown(times)} ×`,
        met: times <= max,
      },
    ];
  });
  const onTwo = measured.flatMap(({ workload, size, figures }) => {
    if (size !== 10_000 || (workload !== 'phones' && workload !== 'mixed')) return [];
    const times = ratio(figures['as shipped'], figures['bare SQL']);
    return [
      {
        target: `10,000 items (${workload}), two connections: at most ${twoConnectionsRatioMax.toFixed(1)} × bare SQL`,
        measured: canBeLimited ? `${shown(times)} ×` : 'it uses one connection',
        met: canBeLimited ? times <= twoConnectionsRatioMax : undefined,
      },
    ];
  });
  const unchanged = measured.flatMap(({ workload, size, figures }) => {
    if (workload !== 'nothing') return [];
    const perSecond = (size / (figures['as shipped']?.median ?? Number.NaN)) * 1_000;
    return [
      {
        target: `unchanged items: at least ${unchangedItemsPerSecondMin.toLocaleString('en')} per second`,
        measured: shown(perSecond),
        met: perSecond >= unchangedItemsPerSecondMin,
      },
    ];
  });
  return [...onOne, ...onTwo, ...unchanged];
}
