import { Button, Checkbox, Group, NativeSelect, Popover, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { texts } from '../../copy/index.js';
import { TypedFilter } from './debounced-filter.js';
import { columnName } from './users-table-head.js';
import {
  allColumns,
  isNarrowed,
  type PeopleView,
  type Status,
  sortKeys,
  statuses,
  withoutFilters,
} from './users-view.js';

interface FiltersProps {
  readonly view: PeopleView;
  readonly isNarrow: boolean;
  readonly onChange: (view: PeopleView) => void;
}

export function Filters({ view, isNarrow, onChange }: FiltersProps) {
  const [isOpen, { toggle }] = useDisclosure();
  const given = [view.status !== 'all', view.organization !== '', view.tag !== ''].filter(Boolean).length;
  return (
    <search>
      <Group gap="sm" align="end" mb="sm">
        <TypedFilter
          label={texts.people.search}
          placeholder={texts.people.searchHint}
          type="search"
          value={view.search}
          onTyped={(search) => onChange({ ...view, search })}
          flex="1 1 14rem"
        />
        {isNarrow && (
          <Button variant="default" onClick={toggle} aria-expanded={isOpen}>
            {texts.people.filters(given)}
          </Button>
        )}
        {(!isNarrow || isOpen) && <Narrowing view={view} isNarrow={isNarrow} onChange={onChange} />}
        {isNarrowed(view) && (
          <Button variant="subtle" onClick={() => onChange({ ...view, ...withoutFilters })}>
            {texts.people.clearFilters}
          </Button>
        )}
        {!isNarrow && <Columns view={view} onChange={onChange} />}
      </Group>
    </search>
  );
}

function Narrowing({ view, isNarrow, onChange }: FiltersProps) {
  return (
    <>
      <NativeSelect
        label={texts.people.status}
        value={view.status}
        onChange={(event) => onChange({ ...view, status: event.currentTarget.value as Status })}
        data={statuses.map((status) => ({ value: status, label: texts.people.statuses[status] }))}
        flex={isNarrow ? '1 1 8rem' : undefined}
      />
      <TypedFilter
        label={texts.people.organization}
        placeholder={texts.people.filterHint}
        value={view.organization}
        onTyped={(organization) => onChange({ ...view, organization })}
        flex={isNarrow ? '1 1 8rem' : '0 1 10rem'}
      />
      <TypedFilter
        label={texts.people.tag}
        placeholder={texts.people.filterHint}
        value={view.tag}
        onTyped={(tag) => onChange({ ...view, tag })}
        flex={isNarrow ? '1 1 8rem' : '0 1 10rem'}
      />
      {isNarrow && <Order view={view} onChange={onChange} />}
    </>
  );
}

/** Where there is no room for headings to click on. */
function Order({ view, onChange }: Pick<FiltersProps, 'view' | 'onChange'>) {
  const orders = sortKeys.flatMap((key) => [key, `-${key}`] as const);
  return (
    <NativeSelect
      label={texts.people.sort}
      value={view.isDescending ? `-${view.sort}` : view.sort}
      onChange={(event) => {
        const order = event.currentTarget.value;
        const sort = sortKeys.find((key) => order.endsWith(key)) ?? view.sort;
        onChange({ ...view, sort, isDescending: order.startsWith('-') });
      }}
      data={orders.map((order) => ({ value: order, label: texts.people.sorts[order] }))}
      flex="1 1 8rem"
    />
  );
}

function Columns({ view, onChange }: Pick<FiltersProps, 'view' | 'onChange'>) {
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default">{texts.people.columns}</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.people.columns}>
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
