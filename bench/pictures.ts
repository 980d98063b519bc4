import { type BarChart, barsOf } from './bars.js';
import { comparisonsIn, times } from './comparisons.js';
import { type Figures, shown } from './figures.js';
import { type Panel, plotOf } from './plot.js';
import type { SavedSections } from './section.js';
import type { GrowthData, GrowthPoint } from './sections/growth.js';

/** The charts of the report by file name, drawn from what the sections have measured. */
export function picturesOf(saved: SavedSections): Record<string, string> {
  const { growth, peers } = saved;
  const comparisons = comparisonsIn(saved);
  return {
    ...(comparisons.length > 0 && { 'next-to-sql.svg': barsOf(ratioChart(comparisons)) }),
    ...(growth && { 'growth.svg': growthPlot(growth.section.data as GrowthData) }),
    ...(peers && { 'peers.svg': barsOf(peersChart(peers.section.data as PeersData)) }),
  };
}

/** What the section about other products has measured. */
interface PeersData {
  readonly peers: readonly {
    readonly name: string;
    readonly version: string;
    readonly rates: { readonly update?: Figures };
  }[];
}

function ratioChart(comparisons: ReturnType<typeof comparisonsIn>): BarChart {
  return {
    title: 'Time, compared with bare SQL that does the same work',
    bars: comparisons.map(({ what, ratio }) => ({
      name: what,
      value: ratio,
      label: times(ratio),
      stands: 'out',
    })),
    mark: { value: 1, name: 'bare SQL' },
  };
}

function peersChart({ peers }: PeersData): BarChart {
  return {
    title: 'Users updated per second, 1,000 in each call',
    bars: peers.flatMap(({ name, version, rates: { update } }, index) =>
      update
        ? [
            {
              name: `${name} ${version}`,
              value: update.median,
              label: shown(update.median),
              stands: index === 0 ? 'out' : 'back',
            },
          ]
        : [],
    ),
  };
}

function growthPlot({ byItems, byUsers }: GrowthData): string {
  const fixedUsers = byItems[0]?.users.toLocaleString('en');
  const fixedItems = byUsers[0]?.items.toLocaleString('en');
  return plotOf([
    panelOf(`Calls of every size, ${fixedUsers} users`, 'items in the call', 'items', byItems),
    panelOf(`Tables of every size, ${fixedItems} items`, 'users in the table', 'users', byUsers),
  ]);
}

function panelOf(
  title: string,
  xLabel: string,
  by: 'items' | 'users',
  points: readonly GrowthPoint[],
): Panel {
  const line = (name: string, figuresOf: (point: GrowthPoint) => Figures) => ({
    name,
    points: points.map((point) => {
      const { median, p25, p75 } = figuresOf(point);
      return { x: point[by], y: median, from: p25, to: p75 };
    }),
  });
  return {
    title,
    xLabel,
    yLabel: 'µs per item',
    lines: [line('Rollcall', ({ http }) => http), line('bare SQL', ({ bare }) => bare)],
  };
}
