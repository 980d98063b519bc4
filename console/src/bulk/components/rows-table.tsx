import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { bulkCopy } from '../../copy/copy.js';
import { formatNumber } from '../../copy/format.js';
import styles from './bulk.module.css';

export interface RowsTableProps {
  readonly label: string;
  /** Indexes of the rows to show. */
  readonly rows: readonly number[];
  readonly columns: readonly { readonly column: number; readonly heading: string }[];
  readonly stateHeading: string;
  readonly numberOf: (row: number) => number;
  readonly stateOf: (row: number) => ReactNode;
  readonly cellOf: (row: number, column: number, heading: string) => ReactNode;
  readonly noteOf: (row: number) => ReactNode;
  readonly isQuiet?: (row: number) => boolean;
  readonly isWrong?: (row: number) => boolean;
}

const rowHeight = 41;

/** A virtualized table: only visible rows are in the document. */
export function RowsTable({
  label,
  rows,
  columns,
  numberOf,
  stateOf,
  cellOf,
  noteOf,
  ...rest
}: RowsTableProps) {
  const region = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index] ?? index,
    overscan: 8,
  });
  const grid = { gridTemplateColumns: `72px 130px repeat(${columns.length}, minmax(0, 1fr))` };
  const minWidth = 72 + 130 + columns.length * 130;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section ref={region} className={styles.region} tabIndex={0} aria-label={label}>
      <table className={styles.table} style={{ minWidth }} aria-label={label} aria-rowcount={rows.length + 1}>
        <thead className={styles.head}>
          <tr className={styles.headRow} style={grid} aria-rowindex={1}>
            <th className={styles.cell}>{bulkCopy.check.number}</th>
            <th className={styles.cell}>{rest.stateHeading}</th>
            {columns.map(({ column, heading }) => (
              <th key={column} className={styles.cell} title={heading}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index] as number;
            const note = noteOf(row);
            return (
              <tr
                key={row}
                ref={virtual.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                className={styles.row}
                style={{ ...grid, transform: `translateY(${start}px)` }}
                data-quiet={rest.isQuiet?.(row) || undefined}
                data-wrong={rest.isWrong?.(row) || undefined}
              >
                <th scope="row" className={styles.cell}>
                  {formatNumber(numberOf(row))}
                </th>
                <td className={styles.cell}>{stateOf(row)}</td>
                {columns.map(({ column, heading }) => (
                  <td key={column} className={styles.cell}>
                    {cellOf(row, column, heading)}
                  </td>
                ))}
                {note && <td className={styles.note}>{note}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
