import { Button, Text, VisuallyHidden } from '@mantine/core';
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/empty-state.js';
import { commonCopy, usersCopy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';
import { usersKey } from '../data/user-queries.js';
import { filterText } from '../filters/filter-text.js';
import { type FilterNames, useFilterNames } from '../filters/use-filter-names.js';
import { filterId, removeFilter } from '../filters/user-filters.js';
import { loadedRowCount } from './page-chain.js';
import type { PagedUsers } from './use-users.js';
import css from './users.module.css';
import { type MatchQuery, matchQuery, noFilters, type UsersView } from './users-view.js';

/** Of the list in view, also while another one is loading. */
export function useTotal(users: PagedUsers) {
  const { sort: _, exactFirst: __, access: ___, ...query } = users.query;
  const isWhole = users.chain.lastPageRows !== undefined;
  const counted = useQuery({ ...totalQuery(query), enabled: !isWhole });
  return {
    total: isWhole ? { count: loadedRowCount(users.chain), isExact: users.isComplete } : counted.data,
    isReady: isWhole || !counted.isPending,
  };
}

export function UserCount({ users }: { users: PagedUsers }) {
  const { sort: _, exactFirst: __, access: ___, ...query } = users.query;
  const filtered = Object.keys(query).length > 0;
  const loaded = loadedRowCount(users.chain);
  const all = useQuery({ ...totalQuery({}), enabled: filtered });
  const { total, isReady } = useTotal(users);
  const text =
    total == null
      ? usersCopy.moreThan(loaded, filtered)
      : filtered
        ? usersCopy.matching(total, all.data ?? undefined)
        : usersCopy.total(total);
  return (
    <>
      <Text size="sm" c="dimmed">
        {text}
        {!users.isComplete && ` · ${usersCopy.incomplete}`}
      </Text>
      {/* The key announces every new list once, but not every page of it. */}
      <VisuallyHidden role="status" key={users.key}>
        {users.isReplacing || !isReady
          ? commonCopy.loading
          : [
              text,
              ...(users.suggestions.length > 0 ? [usersCopy.didYouMean, ...users.suggestions] : []),
            ].join(' ')}
      </VisuallyHidden>
    </>
  );
}

const noMatchesCopy = usersCopy.noMatches;

/** The search or a filter. */
interface Restriction {
  readonly id: string;
  readonly removal: string;
  readonly without: UsersView;
}

function restrictionsOf(view: UsersView, names: FilterNames): Restriction[] {
  const filters = view.filters.map((filter) => ({
    id: filterId(filter),
    removal: noMatchesCopy.remove(filterText(filter, { names })),
    without: { ...view, filters: removeFilter(view.filters, filter) },
  }));
  const search = { id: 'search', removal: commonCopy.clearSearch, without: { ...view, search: '' } };
  return view.search.trim() === '' ? filters : [search, ...filters];
}

/** Users of an organization may all be in its parts. */
function widenedViews(view: UsersView, names: FilterNames): Restriction[] {
  return view.filters.flatMap((filter) => {
    if (filter.kind !== 'organization' || 'isNone' in filter || filter.isNot || filter.includesParts)
      return [];
    const widened = { ...filter, includesParts: true } as const;
    return {
      id: 'parts',
      removal: noMatchesCopy.widen(filterText(widened, { names })),
      without: { ...view, filters: view.filters.map((each) => (each === filter ? widened : each)) },
    };
  });
}

interface NoMatchesProps {
  readonly view: UsersView;
  readonly onChange: (view: UsersView) => void;
}

/** Shows which filters hide all users, and removes one with a click. */
export function NoMatches({ view, onChange }: NoMatchesProps) {
  const names = useFilterNames(view.filters);
  const restrictions = restrictionsOf(view, names);
  const ways = [...widenedViews(view, names), ...restrictions];
  const totals = useQueries({
    queries: ways.map(({ without }) => totalQuery(matchQuery(without))),
  });
  const isCounting = totals.some(({ isPending }) => isPending);
  const found = ways.flatMap((way, index) => {
    const total = totals[index]?.data;
    return total && total.count > 0 ? [{ ...way, total }] : [];
  });
  const helpful = found.filter(({ id }) => id !== 'parts');
  const isSearchTooNarrow = restrictions.length === 1 ? view.search !== '' : helpful[0]?.id === 'search';
  const hint = isSearchTooNarrow ? { hint: noMatchesCopy.searchHint } : {};
  if (isCounting) return <EmptyState title={noMatchesCopy.title} />;
  return (
    <div className={css.noMatches}>
      <EmptyState title={noMatchesCopy.title} {...hint}>
        {restrictions.length > 1 && helpful.length !== 1 && (
          <Text size="sm" ta="center">
            {helpful.length === 0 ? noMatchesCopy.removeSeveral : noMatchesCopy.removeOne}
          </Text>
        )}
        {found.map(({ id, removal, total, without }) => (
          <Button key={id} variant="default" className={css.remove} onClick={() => onChange(without)}>
            {noMatchesCopy.showing(removal, total)}
          </Button>
        ))}
        {(restrictions.length > 1 || helpful.length === 0) && (
          <Button variant="subtle" onClick={() => onChange({ ...view, ...noFilters })}>
            {usersCopy.filter.clearAll}
          </Button>
        )}
      </EmptyState>
    </div>
  );
}

/** How many users match. Asked separately, because lists shouldn't wait for it. */
function totalQuery(query: MatchQuery) {
  return queryOptions({
    queryKey: [...usersKey, 'total', query],
    queryFn: async ({ signal }) => {
      const options = { query: { ...query, total: 'approximate', limit: 1 }, signal } as const;
      return (await rollcall.call('listUsers', options)).body.data.total ?? null;
    },
  });
}
