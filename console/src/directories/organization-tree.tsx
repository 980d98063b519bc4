import { ActionIcon, Table } from '@mantine/core';
import { type CSSProperties, Fragment, type KeyboardEvent, memo, type Ref, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { directoriesKey, type Entry, listOrganizations } from '../components/directory.js';
import { entryName, usersPath } from '../components/entry-name.js';
import { Icon } from '../components/icon.js';
import {
  Cells,
  type Column,
  ListTable,
  LoadingRows,
  LoadMore,
  type PagedList,
  type PageRequest,
  usePagedList,
} from '../components/paged-list.js';
import { directoriesCopy as copy } from '../copy/on-demand-copy.js';
import type { OpenOrganizations } from './open-organizations.js';
import css from './organization-tree.module.css';
import { treeMove } from './tree-keys.js';

interface OrganizationTreeProps {
  /** Those at the top. */
  readonly list: PagedList<Entry>;
  /** The first one contains the name. */
  readonly columns: readonly Column<Entry>[];
  readonly minWidth: number;
  readonly open: OpenOrganizations;
}

/** Organizations with their parts, which unfold. As in https://www.w3.org/WAI/ARIA/apg/patterns/treegrid/ */
export function OrganizationTree({ list, columns, minWidth, open }: OrganizationTreeProps) {
  const [, navigate] = useLocation();
  const latest = useRef(open);
  latest.current = open;
  const onToggle = useRef((serial: string) => latest.current.toggle(serial)).current;
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    const row = event.target as HTMLElement;
    const serial = row.dataset.serial;
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (serial === undefined || hasModifier) return; // links and buttons in the row have keys of their own
    const rows = rowsOf(event.currentTarget);
    const move = treeMove(event.key, rows.map(readRow), rows.indexOf(row));
    if (event.key === 'Enter')
      navigate(usersPath('organizations', serial, { includeParts: readRow(row).isOpen !== undefined }));
    else if (move === 'open' || move === 'close') open.toggle(serial);
    else if (move) rows[move.to]?.focus();
    else return;
    event.preventDefault();
  };
  const tree = { columns, openSerials: open.serials, onToggle };
  return (
    <ListTable
      label={copy.title.organizations}
      columns={columns}
      list={list}
      keyOf={({ serial }) => serial}
      minWidth={minWidth}
      empty={null}
      tree={{
        rows: <Rows list={list} level={1} {...tree} />,
        onKeyDown,
        onFocus: ({ target }) => makeTabStop(target),
      }}
    />
  );
}

function rowsOf(table: HTMLElement): HTMLElement[] {
  return [...table.querySelectorAll<HTMLElement>('tr[data-serial]')];
}

function readRow(row: HTMLElement) {
  const isOpen = row.ariaExpanded === null ? undefined : row.ariaExpanded === 'true';
  return { level: Number(row.ariaLevel), isOpen };
}

/** Tab leads to one row, from which arrows lead to the others. It would take long to render them all each time. */
function makeTabStop(target: Element): void {
  const row = target.closest<HTMLElement>('tr[data-serial]');
  const table = row?.closest('table');
  if (!row || !table) return;
  for (const other of table.querySelectorAll<HTMLElement>('tr[tabindex="0"]')) other.tabIndex = -1;
  row.tabIndex = 0;
}

interface TreeProps {
  readonly columns: readonly Column<Entry>[];
  readonly openSerials: ReadonlySet<string>;
  readonly onToggle: (serial: string) => void;
}

function Rows({ list, level, ...tree }: TreeProps & { list: PagedList<Entry>; level: number }) {
  const first = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    // The row that was the tab stop may be gone.
    const table = first.current?.closest('table');
    const top = table?.querySelector('tr[data-serial]');
    if (top && !table?.querySelector('tr[tabindex="0"]')) makeTabStop(top);
  });
  const { items, hasMore } = list;
  return items.map((entry, at) => {
    const isOpen = entry.hasParts ? tree.openSerials.has(entry.serial) : undefined;
    return (
      <Fragment key={entry.serial}>
        <Row
          ref={at === 0 ? first : undefined}
          entry={entry}
          level={level}
          position={at + 1}
          count={hasMore ? -1 : items.length}
          isOpen={isOpen}
          columns={tree.columns}
          onToggle={tree.onToggle}
        />
        {isOpen && <Parts serial={entry.serial} level={level + 1} {...tree} />}
      </Fragment>
    );
  });
}

/** The organizations that are part of another one. */
function Parts({ serial, level, ...tree }: TreeProps & { serial: string; level: number }) {
  const list = usePagedList<Entry>({
    key: [...directoriesKey, 'organizations', 'parts', serial],
    load: (page, signal) => listLevel({ parentSerial: serial }, page, signal),
  });
  const columns = tree.columns.length;
  return (
    <>
      <Rows list={list} level={level} {...tree} />
      {list.isLoading && <LoadingRows columns={columns} count={1} />}
      {(list.hasMore || list.error !== undefined) && (
        <Table.Tr aria-level={level}>
          <Table.Td colSpan={columns}>
            <LoadMore list={list} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

/** A page of the organizations that are part of one, or of none. */
export function listLevel(
  level: { readonly parentSerial: string } | { readonly isTopLevel: true },
  page: PageRequest,
  signal: AbortSignal,
) {
  return listOrganizations({ ...level, ...page, sort: 'name', includeParts: true }, signal);
}

interface RowProps {
  readonly ref: Ref<HTMLTableRowElement> | undefined;
  readonly entry: Entry;
  readonly level: number;
  readonly position: number;
  /** How many are on this level; -1 if that is not known. */
  readonly count: number;
  readonly isOpen: boolean | undefined;
  readonly columns: readonly Column<Entry>[];
  readonly onToggle: (serial: string) => void;
}

/** Deeper levels are indented no further. */
const indentedMax = 10;

const Row = memo(function Row({ ref, entry, level, position, count, isOpen, columns, onToggle }: RowProps) {
  const [name, ...others] = columns;
  return (
    <Table.Tr
      ref={ref}
      className={css.row}
      data-serial={entry.serial}
      tabIndex={-1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={count}
      aria-expanded={isOpen}
    >
      <Table.Td>
        <div className={css.name} style={{ '--level': Math.min(level, indentedMax) - 1 } as CSSProperties}>
          {isOpen === undefined ? (
            <span className={css.leaf} />
          ) : (
            <ActionIcon
              className={css.toggle}
              variant="subtle"
              color="gray"
              size={24}
              tabIndex={-1}
              aria-label={copy.partsOf(entryName(entry))}
              aria-expanded={isOpen}
              onClick={(event) => {
                event.currentTarget.closest('tr')?.focus();
                onToggle(entry.serial);
              }}
            >
              <Icon name="unfold" size={16} />
            </ActionIcon>
          )}
          <div className={css.text}>{name?.cell(entry)}</div>
        </div>
      </Table.Td>
      <Cells columns={others} item={entry} />
    </Table.Tr>
  );
});
