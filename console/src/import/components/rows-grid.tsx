import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useId, useRef } from 'react';
import { formatNumber } from '../../copy/format.js';
import { importCopy } from '../../copy/on-demand-copy.js';
import styles from './import.module.css';
import { useGridFocus } from './use-grid-focus.js';

export interface GridColumn {
  readonly key: string;
  readonly heading: string;
  /** In pixels. */
  readonly width: number;
  /** Stays in view, like the columns before it. Names do where there is room. */
  readonly sticky?: 'id' | 'name' | undefined;
  /** The ID is that of the note. */
  readonly cellOf: (row: number, noteID: string) => ReactNode;
  /** Whether something is wrong with the cell. The note of its row says what. */
  readonly isWrong?: ((row: number) => boolean) | undefined;
  /** What the whole text is, if the cell may be too narrow for it. */
  readonly titleOf?: ((row: number) => string) | undefined;
  /** A key or a click in a cell, other than to move. False if it means nothing there. */
  readonly onKey?: ((row: number, key: string) => boolean) | undefined;
  readonly onHeading?: (() => void) | undefined;
}

export interface RowsGridProps {
  readonly label: string;
  /** Indexes of the rows to show. */
  readonly rows: readonly number[];
  readonly columns: readonly GridColumn[];
  /** Undefined for rows that are not in the file. */
  readonly numberOf: (row: number) => number | undefined;
  /** Whether something is shown below the row. */
  readonly hasNote: (row: number) => boolean;
  readonly noteOf: (row: number) => ReactNode;
  readonly isQuiet?: (row: number) => boolean;
  readonly isWrong?: (row: number) => boolean;
  /** A key or a click on the number of a row, other than to move. False if it means nothing there. */
  readonly onNumberKey?: (row: number, key: string) => boolean;
  readonly onUndo?: () => void;
  readonly ref?: Ref<HTMLElement>;
}

const rowHeight = 37;
const numberWidth = 68;

/**
 * A virtualized grid with one tab stop: only visible rows, and the one with the focus, are in the document. They are laid
 * out one after another, so that rows whose notes come and go never cover each other.
 */
export function RowsGrid(props: RowsGridProps) {
  const { label, rows, columns, numberOf, hasNote, noteOf, isQuiet, isWrong, onNumberKey, onUndo, ref } =
    props;
  const id = useId();
  const region = useRef<HTMLElement>(null);
  const focus = useGridFocus(region, {
    rows,
    rowHeight,
    columnsOf: (row) => columns.length + 1 + Number(row !== undefined && hasNote(row)),
    onKey: (row, column, key) => {
      const found = columns[column - 1];
      if (row !== undefined && column === 0) return onNumberKey?.(row, key) === true;
      if (row === undefined) found?.onHeading?.();
      return row !== undefined && found?.onKey?.(row, key) === true;
    },
    onUndo,
  });
  const { active } = focus;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index] ?? index,
    rangeExtractor: (range) => withActive(range, active.index),
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
  const sticky = ({ sticky }: GridColumn, index: number) =>
    sticky && { 'data-sticky': sticky, style: { left: numberWidth + sum(widths.slice(0, index)) } };
  const cellProps = (index: number, column: number) => ({
    'data-cell': `${index} ${column}`,
    'aria-colindex': column + 1,
    tabIndex: active.index === index && active.column === column ? 0 : -1,
  });
  const items = virtual.getVirtualItems();
  return (
    <section
      ref={(element) => {
        region.current = element;
        if (typeof ref === 'function') ref(element);
        else if (ref) ref.current = element;
      }}
      className={styles.region}
      {...focus.handlers}
    >
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table in which keys move
        role="grid"
        className={styles.table}
        style={{ minWidth }}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
      >
        <thead className={styles.head}>
          <tr className={styles.headRow} style={{ gridTemplateColumns }} aria-rowindex={1}>
            <th scope="col" className={styles.cell} data-sticky style={{ left: 0 }} {...cellProps(-1, 0)}>
              {importCopy.check.number}
            </th>
            {columns.map((column, at) => (
              <th
                key={column.key}
                scope="col"
                className={styles.cell}
                title={column.heading}
                {...sticky(column, at)}
                {...cellProps(-1, at + 1)}
              >
                {column.onHeading ? (
                  <button
                    type="button"
                    tabIndex={-1}
                    className={styles.headButton}
                    onClick={column.onHeading}
                  >
                    {column.heading}
                  </button>
                ) : (
                  column.heading
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={styles.body} style={{ minHeight: virtual.getTotalSize() }}>
          {items.map(({ index, start }, at) => {
            const row = rows[index] as number;
            const isNoted = hasNote(row);
            const noteID = `${id}${row}`;
            const number = numberOf(row);
            return (
              <tr
                key={row}
                ref={virtual.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                className={styles.row}
                style={{ gridTemplateColumns, marginTop: start - (items[at - 1]?.end ?? 0) }}
                data-quiet={isQuiet?.(row) || undefined}
                data-wrong={isWrong?.(row) || undefined}
              >
                <th
                  scope="row"
                  className={styles.cell}
                  data-sticky
                  data-editable={onNumberKey ? true : undefined}
                  style={{ left: 0 }}
                  {...cellProps(index, 0)}
                >
                  {number === undefined ? (
                    <span title={importCopy.check.notInFile}>
                      <span aria-hidden>–</span>
                      <span className={styles.hiddenText}>{importCopy.check.notInFile}</span>
                    </span>
                  ) : (
                    formatNumber(number)
                  )}
                </th>
                {columns.map((column, columnAt) => {
                  const isInvalid = column.isWrong?.(row) === true;
                  return (
                    <td
                      key={column.key}
                      className={styles.cell}
                      title={column.titleOf?.(row)}
                      aria-invalid={isInvalid || undefined}
                      aria-describedby={isInvalid && isNoted ? noteID : undefined}
                      data-editable={column.onKey ? true : undefined}
                      {...sticky(column, columnAt)}
                      {...cellProps(index, columnAt + 1)}
                    >
                      {column.cellOf(row, noteID)}
                    </td>
                  );
                })}
                {isNoted && (
                  <td className={styles.note} {...cellProps(index, columns.length + 1)}>
                    <div id={noteID}>{noteOf(row)}</div>
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** The row with the focus stays in the document, wherever the grid is scrolled to. */
function withActive(range: Range, active: number): number[] {
  const indexes = defaultRangeExtractor(range);
  if (active < 0 || active >= range.count || indexes.includes(active)) return indexes;
  return [...indexes, active].sort((one, other) => one - other);
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
