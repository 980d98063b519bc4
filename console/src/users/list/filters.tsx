import { Button, Checkbox, Group, NativeSelect, Popover, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { commonCopy } from '../../copy/common.js';
import { usersCopy } from '../../copy/users.js';
import { DebouncedFilter } from './debounced-filter.js';
import { columnName } from './users-table-head.js';
import {
  allColumns,
  isFiltered,
  noFilters,
  type Status,
  sortKeys,
  statuses,
  type UsersView,
} from './users-view.js';

interface FiltersProps {
  readonly view: UsersView;
  readonly isNarrow: boolean;
  readonly onChange: (view: UsersView) => void;
}

export function Filters({ view, isNarrow, onChange }: FiltersProps) {
  const [isOpen, { toggle }] = useDisclosure();
  const count = [view.status !== 'all', view.organization !== '', view.tag !== ''].filter(Boolean).length;
  return (
    <search>
      <Group gap="sm" align="end" mb="sm">
        <DebouncedFilter
          label={usersCopy.search}
          placeholder={usersCopy.searchHint}
          type="search"
          value={view.search}
          onTyped={(search) => onChange({ ...view, search })}
          flex="1 1 14rem"
        />
        {isNarrow && (
          <Button variant="default" onClick={toggle} aria-expanded={isOpen}>
            {usersCopy.filters(count)}
          </Button>
        )}
        {(!isNarrow || isOpen) && <FilterFields view={view} isNarrow={isNarrow} onChange={onChange} />}
        {isFiltered(view) && (
          <Button variant="subtle" onClick={() => onChange({ ...view, ...noFilters })}>
            {commonCopy.clearFilters}
          </Button>
        )}
        {!isNarrow && <ColumnPicker view={view} onChange={onChange} />}
      </Group>
    </search>
  );
}

function FilterFields({ view, isNarrow, onChange }: FiltersProps) {
  return (
    <>
      <NativeSelect
        label={usersCopy.status}
        value={view.status}
        onChange={(event) => onChange({ ...view, status: event.currentTarget.value as Status })}
        data={statuses.map((status) => ({ value: status, label: usersCopy.statuses[status] }))}
        flex={isNarrow ? '1 1 8rem' : undefined}
      />
      <DebouncedFilter
        label={usersCopy.organization}
        placeholder={usersCopy.filterHint}
        value={view.organization}
        onTyped={(organization) => onChange({ ...view, organization })}
        flex={isNarrow ? '1 1 8rem' : '0 1 10rem'}
      />
      <DebouncedFilter
        label={usersCopy.tag}
        placeholder={usersCopy.filterHint}
        value={view.tag}
        onTyped={(tag) => onChange({ ...view, tag })}
        flex={isNarrow ? '1 1 8rem' : '0 1 10rem'}
      />
      {isNarrow && <SortSelect view={view} onChange={onChange} />}
    </>
  );
}

/** Replaces sorting by headings on narrow screens. */
function SortSelect({ view, onChange }: Pick<FiltersProps, 'view' | 'onChange'>) {
  const orders = sortKeys.flatMap((key) => [key, `-${key}`] as const);
  return (
    <NativeSelect
      label={usersCopy.sort}
      value={view.isDescending ? `-${view.sort}` : view.sort}
      onChange={(event) => {
        const order = event.currentTarget.value;
        const sort = sortKeys.find((key) => order.endsWith(key)) ?? view.sort;
        onChange({ ...view, sort, isDescending: order.startsWith('-') });
      }}
      data={orders.map((order) => ({ value: order, label: usersCopy.sorts[order] }))}
      flex="1 1 8rem"
    />
  );
}

function ColumnPicker({ view, onChange }: Pick<FiltersProps, 'view' | 'onChange'>) {
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default">{usersCopy.columns}</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={usersCopy.columns}>
        <Stack gap="xs">
          {allColumns
            .filter((column) => column !== 'name')
            .map((column) => (
              <Checkbox
                key={column}
                label={columnName(column)}
                checked={view.columns.includes(column)}
                onChange={(event) => {
                  const others = view.columns.filter((shown) => shown !== column);
                  onChange({ ...view, columns: event.currentTarget.checked ? [...others, column] : others });
                }}
              />
            ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
