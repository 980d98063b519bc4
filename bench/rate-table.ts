import { type Figures, ratio, shown, spread } from './figures.js';
import type { SectionTable } from './section.js';

/** Rows per second of each variant, next to those of the bulk endpoint, which is one of them. */
export function rateTable(
  variants: readonly string[],
  rates: Readonly<Record<string, Figures | undefined>>,
): SectionTable {
  const limit = rates['the bulk endpoint'];
  return {
    caption: 'Rows per second',
    head: ['', 'rows/s', 'p25 – p75', '× the bulk endpoint'],
    rows: variants.flatMap((variant) => {
      const figures = rates[variant];
      return figures ? [[variant, shown(figures.median), spread(figures), shown(ratio(figures, limit))]] : [];
    }),
  };
}
