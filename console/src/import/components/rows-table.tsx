import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { importCopy } from '../../copy/copy.js';
import { formatNumber } from '../../copy/format.js';
import styles from './import.module.css';

export interface TableColumn {
  readonly key: string;
  readonly heading: string;
  /** In pixels. */
  readonly width: number;
  /** Stays in view, like the columns before it. Names do where there is room. */
  readonly sticky?: 'id' | 'name' | undefined;
  readonly cellOf: (row: number) => ReactNode;
}

export interface RowsTableProps {
  readonly label: string;
  /** Indexes of the rows to show. */
  readonly rows: readonly number[];
  readonly columns: readonly TableColumn[];
  /** Undefined for rows that are not in the file. */
  readonly numberOf: (row: number) => number | undefined;
  /** What is shown below a row, if anything. */
  readonly detailsOf: (row: number) => ReactNode;
  readonly isQuiet?: (row: number) => boolean;
  readonly isWrong?: (row: number) => boolean;
}

const rowHeight = 37;
const numberWidth = 68;

/** A virtualized table: only visible rows are in the document. Row numbers, employee IDs and names stay in view. */
export function RowsTable({ label, rows, columns, numberOf, detailsOf, isQuiet, isWrong }: RowsTableProps) {
  const region = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: () => rowHeight,
    overscan: 4,
    // Renders several scroll events, and the heights of several rows, in one frame.
    useFlushSync: false,
  });
  const widths = columns.map(({ width }) => width);
  const gridTemplateColumns = [
    `${numberWidth}px`,
    ...widths.slice(0, -1).map((width) => `${width}px`),
    `minmax(${widths.at(-1) ?? 0}px, 1fr)`,
  ].join(' ');
  const minWidth = numberWidth + sum(widths);
  const sticky = ({ sticky }: TableColumn, index: number) =>
    sticky && { 'data-sticky': sticky, style: { left: numberWidth + sum(widths.slice(0, index)) } };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section ref={region} className={styles.region} tabIndex={0} aria-label={label}>
      <table className={styles.table} style={{ minWidth }} aria-label={label} aria-rowcount={rows.length + 1}>
        <thead className={styles.head}>
          <tr className={styles.headRow} style={{ gridTemplateColumns }} aria-rowindex={1}>
            <th className={styles.cell} data-sticky style={{ left: 0 }}>
              {importCopy.check.number}
            </th>
            {columns.map((column, index) => (
              <th key={column.key} className={styles.cell} title={column.heading} {...sticky(column, index)}>
                {column.heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index] as number;
            const details = detailsOf(row);
            const number = numberOf(row);
            return (
              <tr
                key={row}
                ref={virtual.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                className={styles.row}
                style={{ gridTemplateColumns, transform: `translateY(${start}px)` }}
                data-quiet={isQuiet?.(row) || undefined}
                data-wrong={isWrong?.(row) || undefined}
              >
                <th scope="row" className={styles.cell} data-sticky style={{ left: 0 }}>
                  {number === undefined ? (
                    <span title={importCopy.check.notInFile}>
                      <span aria-hidden>–</span>
                      <span className={styles.hiddenText}>{importCopy.check.notInFile}</span>
                    </span>
                  ) : (
                    formatNumber(number)
                  )}
                </th>
                {columns.map((column, index) => (
                  <td key={column.key} className={styles.cell} {...sticky(column, index)}>
                    {column.cellOf(row)}
                  </td>
                ))}
                {details && <td className={styles.note}>{details}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
