import { VisuallyHidden } from '@mantine/core';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { usersCopy } from '../../copy/users.js';
import { loadedRowCount, rowCount } from './page-chain.js';
import { rowForKey } from './row-keys.js';
import { savedScrollPosition, saveScrollPosition } from './scroll-memory.js';
import type { PagedUsers } from './use-users.js';
import { UserRow } from './user-row.js';
import css from './users.module.css';
import { UsersTableHead } from './users-table-head.js';
import { type UsersView, writeView } from './users-view.js';

interface UsersTableProps {
  readonly people: PagedUsers;
  readonly view: UsersView;
  readonly isNarrow: boolean;
  readonly onChange: (view: UsersView) => void;
}

const headHeight = 40;
const rowHeight = 44;
const narrowRowHeight = 64;

/**
 * A table of links, of which only the rows in sight are there. One of the links can be reached with Tab; the arrow keys
 * move on from it, so that nobody has to tab through thousands.
 */
export function UsersTable({ people, view, isNarrow, onChange }: UsersTableProps) {
  const [place] = useState(() => savedScrollPosition(people.key));
  const [row, setRow] = useState(place?.row ?? 0);
  const [listKey, setListKey] = useState(people.key);
  const region = useRef<HTMLElement>(null);
  const wantsFocus = useRef(false);
  const [, navigate] = useLocation();
  const hintId = useId();
  const height = isNarrow ? narrowRowHeight : rowHeight;
  const count = rowCount(people.chain);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => region.current,
    estimateSize: () => height,
    overscan: 6,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    initialOffset: place?.offset ?? 0,
    // Not in the middle of a scroll event: several of them share a frame then.
    useFlushSync: false,
    // The row that has the focus stays, wherever one scrolls; without it the keyboard would start over.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.min(row, count - 1)])].sort((a, b) => a - b),
  });
  const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: 0 };
  useEffect(() => people.showRows(startIndex, endIndex), [people.showRows, startIndex, endIndex]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights are remembered until this
  useEffect(() => virtual.measure(), [virtual, height]);

  // Another list begins at its top. The table stays, and with it the focus on the heading that sorted it.
  if (people.key !== listKey) {
    setListKey(people.key);
    setRow(0);
  }
  const isFirstList = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is for every list but the first
  useEffect(() => {
    if (!isFirstList.current) region.current?.scrollTo({ top: 0 });
    isFirstList.current = false;
  }, [listKey]);

  const isThere = people.rowAt(row) !== undefined;
  useEffect(() => {
    if (!wantsFocus.current || !isThere) return;
    wantsFocus.current = false;
    region.current?.querySelector<HTMLElement>(`tr[data-row="${row}"] a`)?.focus({ preventScroll: true });
  }, [row, isThere]);

  const moved = (event: KeyboardEvent<HTMLElement>) => {
    const isInHead = (event.target as HTMLElement).closest('thead') !== null;
    if (isInHead || event.altKey || event.ctrlKey || event.metaKey) return;
    const rowsOnScreen = Math.max(
      1,
      Math.floor((event.currentTarget.clientHeight - headHeight) / height) - 1,
    );
    const isOutside = event.target === event.currentTarget;
    const next = rowForKey(event.key, row, {
      last: loadedRowCount(people.chain) - 1,
      rowsOnScreen,
      isOutside,
    });
    if (next === undefined) return;
    event.preventDefault();
    wantsFocus.current = true;
    setRow(next);
    virtual.scrollToIndex(next);
    if (next === row) region.current?.querySelector<HTMLElement>(`tr[data-row="${row}"] a`)?.focus();
  };
  const leave = (index: number) =>
    saveScrollPosition({
      key: people.key,
      chain: people.chain,
      offset: virtual.scrollOffset ?? 0,
      row: index,
      search: writeView(view),
    });
  const clicked = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    const line = target.closest<HTMLElement>('tr[data-serial]');
    if (!line || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    const isLink = target.closest('a') !== null;
    const isSelecting = window.getSelection()?.isCollapsed === false;
    if (!isLink && isSelecting) return;
    event.preventDefault();
    leave(Number(line.dataset.row));
    navigate(`/people/${line.dataset.serial}`);
  };

  const columns = isNarrow ? (['name'] as const) : view.columns;
  let end = headHeight;
  return (
    <section
      ref={region}
      className={css.region}
      aria-label={usersCopy.table}
      aria-describedby={hintId}
      aria-busy={people.isReplacing}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard
      tabIndex={0}
      onKeyDown={moved}
    >
      <VisuallyHidden id={hintId}>{usersCopy.tableHint}</VisuallyHidden>
      <table
        className={css.table}
        aria-rowcount={people.chain.lastPageRows === undefined ? -1 : count + 1}
        style={{ minWidth: isNarrow ? undefined : `${columns.length * 9}rem` }}
      >
        <UsersTableHead columns={columns} view={view} onChange={onChange} />
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the link in the row is for the keyboard */}
        <tbody onClick={clicked}>
          {virtual.getVirtualItems().map((item) => {
            const gap = item.start - end;
            end = item.end;
            return (
              <Fragment key={item.index}>
                {gap > 0 && <Spacer height={gap} />}
                <UserRow
                  index={item.index}
                  user={people.rowAt(item.index)}
                  columns={columns}
                  height={height}
                  isNarrow={isNarrow}
                  isReachable={item.index === row}
                />
              </Fragment>
            );
          })}
          <Spacer height={virtual.getTotalSize() + headHeight - end} />
        </tbody>
      </table>
    </section>
  );
}

/** Stands for the rows that are not there. */
function Spacer({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can have the focus
    <tr aria-hidden="true" className={css.gap}>
      <td style={{ height }} />
    </tr>
  );
}
