import { VisuallyHidden } from '@mantine/core';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, lazy, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { AttributeName } from '../../components/attribute-name.js';
import { type Attribute, attributeOf } from '../../components/attribute-value.js';
import { useAttributes } from '../../components/attributes.js';
import { useDisplayNames } from '../../components/directory.js';
import { usersCopy, usersListCopy } from '../../copy/copy.js';
import { useCurrentUser } from '../../session/session.js';
import type { ListedUser } from '../data/user.js';
import { type HeadState, headState, isSelected, type UserSelection } from '../selection/selection.js';
import { columnWidth, type LongestIds, selectColumnRem, useLongestIds } from './column-widths.js';
import { onGridClick, onGridDoubleClick, onGridKey, useGridPosition } from './grid.js';
import { highlighter } from './highlight.js';
import { loadedRowCount, rowCount } from './page-chain.js';
import { savedScrollPosition, saveScrollPosition } from './scroll-memory.js';
import type { PagedUsers } from './use-users.js';
import { UserRow } from './user-row.js';
import css from './users.module.css';
import {
  type Column,
  columnName,
  isSortable,
  shownColumns,
  toggleSort,
  type UsersView,
  writeView,
} from './users-view.js';

// Loaded on demand, to keep the first page small.
const CellEditor = lazy(async () => ({ default: (await import('../edit/cell-editor.js')).CellEditor }));

interface UsersTableProps {
  readonly users: PagedUsers;
  readonly view: UsersView;
  readonly isNarrow: boolean;
  readonly mayWrite: boolean;
  readonly selection: UserSelection;
  /** Undefined unless it is exact. */
  readonly total: number | undefined;
  readonly onChange: (view: UsersView) => void;
  readonly onChangeStatus: (user: ListedUser) => void;
}

const headHeight = 40;
const rowHeight = 44;
const narrowRowHeight = 72;
const narrowColumns: readonly Column[] = ['name'];

/**
 * A virtualized grid. Only one cell is a tab stop; the arrow keys move between rows and columns, so that no one has to
 * tab through thousands.
 */
export function UsersTable(props: UsersTableProps) {
  const { users, view, isNarrow, mayWrite, selection, total, onChange, onChangeStatus } = props;
  const [saved] = useState(() => savedScrollPosition(users.key));
  const region = useRef<HTMLElement>(null);
  const [, navigate] = useLocation();
  const hintId = useId();
  const height = isNarrow ? narrowRowHeight : rowHeight;
  const count = rowCount(users.chain);
  const mayEdit = mayWrite && !isNarrow;
  const attributes = useAttributes();
  const { scopes } = useCurrentUser();
  const columns = useMemo(
    () => (isNarrow ? narrowColumns : shownColumns(view, attributes, scopes)),
    [isNarrow, view, attributes, scopes],
  );
  const position = useGridPosition({ users, columns, returnRow: saved?.row, region });
  const { row, edited } = position;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => region.current,
    estimateSize: () => height,
    overscan: 6,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    initialOffset: saved?.offset ?? 0,
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
  const isFirstList = useRef(true);
  // The table stays mounted to keep the focus on the heading that was clicked.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every list but the first
  useEffect(() => {
    if (!isFirstList.current) region.current?.scrollTo({ top: 0 });
    isFirstList.current = false;
  }, [users.key]);

  const open = (index: number) => {
    const user = users.rowAt(index);
    if (!user) return;
    saveScrollPosition({
      key: users.key,
      chain: users.chain,
      offset: virtual.scrollOffset ?? 0,
      row: index,
      search: writeView(view),
    });
    navigate(`/users/${user.serial}`);
  };
  const grid = {
    position,
    selection,
    mayEdit,
    attributes,
    rowAt: users.rowAt,
    lastRow: loadedRowCount(users.chain) - 1,
    rowsOnScreen: ({ clientHeight }: HTMLElement) =>
      Math.max(1, Math.floor((clientHeight - headHeight) / height) - 1),
    scrollTo: (index: number) => virtual.scrollToIndex(index),
    open,
    changeStatus: onChangeStatus,
  };

  const items = virtual.getVirtualItems();
  const inView = items.flatMap(({ index }) => users.rowAt(index) ?? []);
  const longest = useLongestIds(users.key, inView);
  const organizationNames = useDisplayNames(
    'organizations',
    columns.includes('organizationSerial') ? inView.flatMap((user) => user.organizationSerial ?? []) : [],
  );
  const tagNames = useDisplayNames(
    'tags',
    columns.includes('tagSerials') ? inView.flatMap((user) => user.tagSerials) : [],
  );
  const search = users.query.search ?? '';
  const highlight = useMemo(() => highlighter(search), [search]);
  const minWidth = columns.reduce(
    (sum, column) => sum + columnWidth(column, longest, attributes),
    selectColumnRem,
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
      onKeyDown={(event) => onGridKey(grid, event)}
    >
      <VisuallyHidden id={hintId}>{mayEdit ? usersCopy.gridHint : usersCopy.tableHint}</VisuallyHidden>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are reached by arrow keys
        role="grid"
        aria-label={usersCopy.table}
        aria-multiselectable="true"
        className={css.table}
        aria-rowcount={users.chain.lastPageRows === undefined ? -1 : count + 1}
        style={{ minWidth: isNarrow ? undefined : `${minWidth}rem` }}
      >
        <UsersTableHead
          columns={columns}
          longest={longest}
          attributes={attributes}
          view={view}
          selection={selection}
          total={total}
          onChange={onChange}
        />
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the region has the keys */}
        <tbody
          onClick={(event) => onGridClick(grid, event)}
          onDoubleClick={(event) => onGridDoubleClick(grid, event)}
        >
          {items.map((item) => {
            const gap = item.start - end;
            end = item.end;
            const user = users.rowAt(item.index);
            const isCurrent = item.index === row;
            return (
              <Fragment key={item.index}>
                {gap > 0 && <Spacer height={gap} />}
                <UserRow
                  index={item.index}
                  user={user}
                  columns={columns}
                  height={height}
                  isNarrow={isNarrow}
                  organizationNames={organizationNames}
                  tagNames={tagNames}
                  attributes={attributes}
                  highlight={highlight}
                  isSelected={user !== undefined && isSelected(selection.current, user.serial)}
                  isSelectionFixed={selection.current.kind === 'all'}
                  isEditable={mayEdit}
                  tabStop={isCurrent ? position.column : undefined}
                  editor={
                    isCurrent &&
                    edited && (
                      <Suspense>
                        <CellEditor {...edited} onClose={() => position.edit(undefined)} />
                      </Suspense>
                    )
                  }
                  // A long ID takes another line.
                  measure={isNarrow ? virtual.measureElement : undefined}
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

interface UsersTableHeadProps {
  readonly columns: readonly Column[];
  readonly longest: LongestIds;
  readonly attributes: readonly Attribute[];
  readonly view: UsersView;
  readonly selection: UserSelection;
  /** Undefined unless it is exact. */
  readonly total: number | undefined;
  readonly onChange: (view: UsersView) => void;
}

function UsersTableHead(props: UsersTableHeadProps) {
  const { columns, longest, attributes, view, selection, total, onChange } = props;
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" data-column="select" aria-label={usersListCopy.select.column}>
          <SelectAll
            state={headState(selection.current, selection.isWholeList)}
            onSelect={() => selection.selectAll(total)}
            onClear={selection.clear}
          />
        </th>
        {columns.map((column) => {
          const isSorted = view.sort === column;
          const direction = view.isDescending ? 'descending' : 'ascending';
          return (
            <th
              key={column}
              scope="col"
              data-column={column}
              aria-sort={isSorted ? direction : isSortable(column, attributes) ? 'none' : undefined}
              style={
                columns.length === 1 ? undefined : { width: `${columnWidth(column, longest, attributes)}rem` }
              }
            >
              {isSortable(column, attributes) ? (
                <button type="button" className={css.sort} onClick={() => onChange(toggleSort(view, column))}>
                  <Heading column={column} attributes={attributes} />
                  <span aria-hidden="true" className={css.arrow}>
                    {isSorted ? (view.isDescending ? '▼' : '▲') : '↕'}
                  </span>
                </button>
              ) : (
                <Heading column={column} attributes={attributes} />
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function Heading({ column, attributes }: { column: Column; attributes: readonly Attribute[] }) {
  const attribute = attributeOf(column, attributes);
  return attribute ? <AttributeName attribute={attribute} /> : columnName(column, attributes);
}

interface SelectAllProps {
  readonly state: HeadState;
  readonly onSelect: () => void;
  readonly onClear: () => void;
}

function SelectAll({ state, onSelect, onClear }: SelectAllProps) {
  return (
    <input
      type="checkbox"
      className={css.check}
      aria-label={usersListCopy.select.all}
      checked={state === 'all'}
      ref={(input) => {
        if (input) input.indeterminate = state === 'some';
      }}
      onChange={state === 'all' ? onClear : onSelect}
    />
  );
}
