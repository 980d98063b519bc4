import { Skeleton, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { activityCopy } from '../copy/copy.js';
import { LoadMore } from './load-more.js';
import { Problem } from './problem.js';
import { ScrollRegion } from './scroll-region.js';
import type { PagedList } from './use-paged-list.js';

export interface Column<Item> {
  readonly header: string;
  readonly isNumber?: boolean;
  /** Never wraps. */
  readonly isShort?: boolean;
  readonly cell: (item: Item) => ReactNode;
}

interface ListTableProps<Item> {
  readonly label: string;
  readonly columns: readonly Column<Item>[];
  readonly list: PagedList<Item>;
  readonly keyOf: (item: Item) => string | number;
  /** Shown instead of an empty table. */
  readonly empty: ReactNode;
  readonly minWidth?: number;
}

/** A paged list with its loading, error and empty states. */
export function ListTable<Item>({
  label,
  columns,
  list,
  keyOf,
  empty,
  minWidth = 720,
}: ListTableProps<Item>) {
  const { items, isLoading, error, reload } = list;
  if (items.length === 0 && error !== undefined) {
    return <Problem title={activityCopy.list.cannotLoad} error={error} onRetry={reload} />;
  }
  if (items.length === 0 && !isLoading) return empty;
  return (
    <>
      <ScrollRegion label={label}>
        <Table miw={minWidth} verticalSpacing="xs" highlightOnHover aria-label={label} aria-busy={isLoading}>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ header, isNumber }) => (
                <Table.Th key={header} ta={isNumber ? 'right' : undefined}>
                  {header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {isLoading && <LoadingRows columns={columns.length} />}
            {items.map((item) => (
              <Table.Tr key={keyOf(item)}>
                {columns.map(({ header, isNumber, isShort, cell }) => (
                  <Table.Td
                    key={header}
                    ta={isNumber ? 'right' : undefined}
                    style={isShort ? { whiteSpace: 'nowrap' } : undefined}
                  >
                    {cell(item)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
      {!isLoading && <LoadMore list={list} />}
    </>
  );
}

function LoadingRows({ columns }: { columns: number }) {
  return Array.from({ length: 6 }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows are interchangeable
    <Table.Tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are interchangeable
        <Table.Td key={column}>
          <Skeleton height={12} my={5} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}
