import { VisuallyHidden } from '@mantine/core';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useDisplayNames } from '../../components/directory.js';
import { usersCopy } from '../../copy/copy.js';
import { loadedRowCount, rowCount } from './page-chain.js';
import { rowForKey } from './row-keys.js';
import { savedScrollPosition, saveScrollPosition } from './scroll-memory.js';
import type { PagedUsers } from './use-users.js';
import { UserRow } from './user-row.js';
import css from './users.module.css';
import { UsersTableHead } from './users-table-head.js';
import { type Column, type UsersView, writeView } from './users-view.js';

interface UsersTableProps {
  readonly users: PagedUsers;
  readonly view: UsersView;
  readonly isNarrow: boolean;
  readonly onChange: (view: UsersView) => void;
}

const headHeight = 40;
const rowHeight = 44;
const narrowRowHeight = 64;

/**
 * A virtualized table of links. Only one link is a tab stop; the arrow keys move between rows, so that no one has to tab
 * through thousands.
 */
export function UsersTable({ users, view, isNarrow, onChange }: UsersTableProps) {
  const [position] = useState(() => savedScrollPosition(users.key));
  const [row, setRow] = useState(position?.row ?? 0);
  const [listKey, setListKey] = useState(users.key);
  const region = useRef<HTMLElement>(null);
  const needsFocus = useRef(false);
  const [, navigate] = useLocation();
  const hintId = useId();
  const height = isNarrow ? narrowRowHeight : rowHeight;
  const count = rowCount(users.chain);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => region.current,
    estimateSize: () => height,
    overscan: 6,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    initialOffset: position?.offset ?? 0,
    // Renders several scroll events in one frame.
    useFlushSync: false,
    // Keeps the focused row mounted, so that the keyboard does not lose its place.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.min(row, count - 1)])].sort((a, b) => a - b),
  });
  const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: 0 };
  useEffect(() => users.showRows(startIndex, endIndex), [users.showRows, startIndex, endIndex]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured heights are cached
  useEffect(() => virtual.measure(), [virtual, height]);

  // A new list starts at the top. The table stays mounted to keep the focus on the heading that was clicked.
  if (users.key !== listKey) {
    setListKey(users.key);
    setRow(0);
  }
  const isFirstList = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every list but the first
  useEffect(() => {
    if (!isFirstList.current) region.current?.scrollTo({ top: 0 });
    isFirstList.current = false;
  }, [listKey]);

  const isLoaded = users.rowAt(row) !== undefined;
  useEffect(() => {
    if (!needsFocus.current || !isLoaded) return;
    needsFocus.current = false;
    region.current?.querySelector<HTMLElement>(`tr[data-row="${row}"] a`)?.focus({ preventScroll: true });
  }, [row, isLoaded]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isInHead = (event.target as HTMLElement).closest('thead') !== null;
    if (isInHead || event.altKey || event.ctrlKey || event.metaKey) return;
    const rowsOnScreen = Math.max(
      1,
      Math.floor((event.currentTarget.clientHeight - headHeight) / height) - 1,
    );
    const isOutside = event.target === event.currentTarget;
    const next = rowForKey(event.key, row, {
      last: loadedRowCount(users.chain) - 1,
      rowsOnScreen,
      isOutside,
    });
    if (next === undefined) return;
    event.preventDefault();
    needsFocus.current = true;
    setRow(next);
    virtual.scrollToIndex(next);
    if (next === row) region.current?.querySelector<HTMLElement>(`tr[data-row="${row}"] a`)?.focus();
  };
  const savePosition = (index: number) =>
    saveScrollPosition({
      key: users.key,
      chain: users.chain,
      offset: virtual.scrollOffset ?? 0,
      row: index,
      search: writeView(view),
    });
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    const line = target.closest<HTMLElement>('tr[data-serial]');
    if (!line || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    const isLink = target.closest('a') !== null;
    const isSelecting = window.getSelection()?.isCollapsed === false;
    if (!isLink && isSelecting) return;
    event.preventDefault();
    savePosition(Number(line.dataset.row));
    navigate(`/users/${line.dataset.serial}`);
  };

  const columns: readonly Column[] = isNarrow ? ['name'] : view.columns;
  const items = virtual.getVirtualItems();
  const inView = items.flatMap(({ index }) => users.rowAt(index) ?? []);
  const organizationNames = useDisplayNames(
    'organizations',
    columns.includes('organizationSerial') ? inView.flatMap((user) => user.organizationSerial ?? []) : [],
  );
  const tagNames = useDisplayNames(
    'tags',
    columns.includes('tagSerials') ? inView.flatMap((user) => user.tagSerials) : [],
  );
  let end = headHeight;
  return (
    <section
      ref={region}
      className={css.region}
      aria-label={usersCopy.table}
      aria-describedby={hintId}
      aria-busy={users.isReplacing}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <VisuallyHidden id={hintId}>{usersCopy.tableHint}</VisuallyHidden>
      <table
        className={css.table}
        aria-rowcount={users.chain.lastPageRows === undefined ? -1 : count + 1}
        style={{ minWidth: isNarrow ? undefined : `${columns.length * 9}rem` }}
      >
        <UsersTableHead columns={columns} view={view} onChange={onChange} />
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: keyboards use the link in the row */}
        <tbody onClick={onClick}>
          {items.map((item) => {
            const gap = item.start - end;
            end = item.end;
            return (
              <Fragment key={item.index}>
                {gap > 0 && <Spacer height={gap} />}
                <UserRow
                  index={item.index}
                  user={users.rowAt(item.index)}
                  columns={columns}
                  height={height}
                  isNarrow={isNarrow}
                  organizationNames={organizationNames}
                  tagNames={tagNames}
                  isTabStop={item.index === row}
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

/** Takes the space of rows that are not rendered. */
function Spacer({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it has no focusable content
    <tr aria-hidden="true" className={css.gap}>
      <td style={{ height }} />
    </tr>
  );
}
