import { Button, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { EmptyState } from '../../components/empty-state.js';
import { commonCopy, usersCopy } from '../../copy/copy.js';
import { filterText } from '../filters/filter-text.js';
import { type FilterNames, useFilterNames } from '../filters/use-filter-names.js';
import { filterId, removeFilter } from '../filters/user-filters.js';
import { totalQuery } from './total-query.js';
import css from './users.module.css';
import { matchQuery, noFilters, type UsersView } from './users-view.js';

const copy = usersCopy.noMatches;

/** The search or a filter. */
interface Restriction {
  readonly id: string;
  readonly removal: string;
  readonly without: UsersView;
}

function restrictionsOf(view: UsersView, names: FilterNames): Restriction[] {
  const filters = view.filters.map((filter) => ({
    id: filterId(filter),
    removal: copy.remove(filterText(filter, { names })),
    without: { ...view, filters: removeFilter(view.filters, filter) },
  }));
  const search = { id: 'search', removal: commonCopy.clearSearch, without: { ...view, search: '' } };
  return view.search.trim() === '' ? filters : [search, ...filters];
}

interface NoMatchesProps {
  readonly view: UsersView;
  readonly onChange: (view: UsersView) => void;
}

/** Shows which filters hide all users, and removes one with a click. */
export function NoMatches({ view, onChange }: NoMatchesProps) {
  const restrictions = restrictionsOf(view, useFilterNames(view.filters));
  const totals = useQueries({
    queries: restrictions.map(({ without }) => totalQuery(matchQuery(without))),
  });
  const isCounting = totals.some(({ isPending }) => isPending);
  const helpful = restrictions.flatMap((restriction, index) => {
    const total = totals[index]?.data;
    return total && total.count > 0 ? [{ ...restriction, total }] : [];
  });
  const isSearchTooNarrow = restrictions.length === 1 ? view.search !== '' : helpful[0]?.id === 'search';
  const hint = isSearchTooNarrow ? { hint: copy.searchHint } : {};
  if (isCounting) return <EmptyState title={copy.title} />;
  return (
    <div className={css.noMatches}>
      <EmptyState title={copy.title} {...hint}>
        {restrictions.length > 1 && helpful.length !== 1 && (
          <Text size="sm" ta="center">
            {helpful.length === 0 ? copy.removeSeveral : copy.removeOne}
          </Text>
        )}
        {helpful.map(({ id, removal, total, without }) => (
          <Button key={id} variant="default" className={css.remove} onClick={() => onChange(without)}>
            {copy.showing(removal, total)}
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
