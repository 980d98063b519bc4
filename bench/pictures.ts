import type { Figures } from './figures.js';
import { type Panel, plotOf } from './plot.js';
import type { SavedSections } from './section.js';
import type { GrowthData, GrowthPoint } from './sections/growth.js';

/** The charts of the report by file name, drawn from the data of the sections. */
export function picturesOf(saved: SavedSections): Record<string, string> {
  const { growth } = saved;
  return growth ? { 'growth.svg': growthPlot(growth.section.data as GrowthData) } : {};
}

/** The chart of a section, shown below its introduction. */
export const pictureOf: Readonly<Record<string, { readonly file: string; readonly says: string }>> = {
  growth: { file: 'growth.svg', says: 'The cost of an item by the size of the call and of the table' },
};

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
