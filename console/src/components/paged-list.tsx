import { Button, Group, Skeleton, Table, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FocusEventHandler, type KeyboardEventHandler, type ReactNode, useEffect } from 'react';
import { activityCopy } from '../copy/copy.js';
import { Problem } from './problem.js';
import { ScrollRegion } from './scroll-region.js';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

export interface PageRequest {
  readonly cursor: string | undefined;
  readonly limit: number;
}

export interface PagedList<Item> {
  readonly items: readonly Item[];
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly reload: () => void;
  readonly loadMore: () => void;
}

interface PagedListOptions<Item> {
  readonly key: readonly unknown[];
  readonly load: (page: PageRequest, signal: AbortSignal) => Promise<Page<Item>>;
  /** The polling interval; false to stop polling. */
  readonly refetchMs?: (items: readonly Item[]) => number | false;
  readonly isEnabled?: boolean;
}

const pageLimit = 100;

export function usePagedList<Item>({
  key,
  load,
  refetchMs,
  isEnabled = true,
}: PagedListOptions<Item>): PagedList<Item> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load({ cursor: pageParam, limit: pageLimit }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) => refetchMs?.(itemsOf(state.data?.pages)) ?? false,
    enabled: isEnabled,
  });
  return {
    items: itemsOf(query.data?.pages),
    isLoading: query.isPending,
    error: query.error ?? undefined,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    reload: () => void query.refetch(),
    loadMore: () => void query.fetchNextPage({ cancelRefetch: false }),
  };
}

function itemsOf<Item>(pages: readonly Page<Item>[] | undefined): readonly Item[] {
  return pages?.flatMap(({ items }) => items) ?? [];
}

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
  /** Rows that unfold, in place of one for each item. */
  readonly tree?: {
    readonly rows: ReactNode;
    readonly onKeyDown: KeyboardEventHandler<HTMLTableElement>;
    readonly onFocus: FocusEventHandler<HTMLTableElement>;
  };
}

/** A paged list with its loading, error and empty states. */
export function ListTable<Item>({
  label,
  columns,
  list,
  keyOf,
  empty,
  minWidth = 720,
  tree,
}: ListTableProps<Item>) {
  const { items, isLoading, error, reload } = list;
  if (items.length === 0 && error !== undefined) {
    return <Problem title={activityCopy.list.cannotLoad} error={error} onRetry={reload} />;
  }
  if (items.length === 0 && !isLoading) return empty;
  return (
    <>
      <ScrollRegion label={label}>
        <Table
          role={tree && 'treegrid'}
          miw={minWidth}
          verticalSpacing="xs"
          highlightOnHover
          aria-label={label}
          aria-busy={isLoading}
          onKeyDown={tree?.onKeyDown}
          onFocus={tree?.onFocus}
        >
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
            {tree
              ? tree.rows
              : items.map((item) => (
                  <Table.Tr key={keyOf(item)}>
                    <Cells columns={columns} item={item} />
                  </Table.Tr>
                ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
      {!isLoading && (!tree || list.hasMore || error !== undefined) && <LoadMore list={list} />}
    </>
  );
}

interface CellsProps<Item> {
  readonly columns: readonly Column<Item>[];
  readonly item: Item;
}

export function Cells<Item>({ columns, item }: CellsProps<Item>) {
  return columns.map(({ header, isNumber, isShort, cell }) => (
    <Table.Td
      key={header}
      ta={isNumber ? 'right' : undefined}
      style={isShort ? { whiteSpace: 'nowrap' } : undefined}
    >
      {cell(item)}
    </Table.Td>
  ));
}

export function LoadingRows({ columns, count = 6 }: { columns: number; count?: number }) {
  return Array.from({ length: count }, (_, row) => (
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

const copy = activityCopy.list;

interface LoadMoreProps {
  readonly list: PagedList<unknown>;
  /** How many lines the entries have together, if some share one. */
  readonly shown?: number;
}

/** Loads the next page when the end of the list scrolls into view, or on request. */
export function LoadMore({ list, shown = list.items.length }: LoadMoreProps) {
  const { ref, inViewport } = useInViewport();
  const { hasMore, isLoadingMore, error, loadMore } = list;
  const isDue = inViewport && hasMore && !isLoadingMore && error === undefined;
  useEffect(() => {
    if (isDue) loadMore();
  });
  return (
    <div ref={ref}>
      {error !== undefined && (
        <Problem title={copy.cannotLoadMore} error={error} onRetry={hasMore ? loadMore : list.reload} />
      )}
      <Group mt="sm" justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" role="status">
          {hasMore ? copy.shown(shown) : copy.allShown(shown)}
        </Text>
        {hasMore && (
          <Button variant="default" size="xs" onClick={loadMore} loading={isLoadingMore}>
            {copy.more}
          </Button>
        )}
      </Group>
    </div>
  );
}
