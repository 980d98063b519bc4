import { Button, Checkbox, Group, NativeSelect, Popover, Stack, Text } from '@mantine/core';
import { attributeField } from '@rollcall/sheets';
import type { KeyboardEvent, RefObject } from 'react';
import { attributeLabel } from '../../components/attribute-value.js';
import { useAttributes } from '../../components/attributes.js';
import { SearchBox } from '../../components/search-box.js';
import { attributesCopy, usersCopy, usersListCopy } from '../../copy/copy.js';
import { useCurrentUser } from '../../session/session.js';
import { AddFilter, FilterChips } from '../filters/filter-chips.js';
import type { UserFilter } from '../filters/user-filters.js';
import { ViewsMenu } from '../views/views-menu.js';
import {
  allColumns,
  columnName,
  noFilters,
  type ShowView,
  sortKeys,
  type UsersView,
  writeWholeView,
} from './users-view.js';

interface FiltersProps {
  readonly view: UsersView;
  readonly isNarrow: boolean;
  readonly onChange: ShowView;
  readonly onOpenView: (query: string) => void;
  readonly addFilterRef: RefObject<HTMLButtonElement | null>;
  readonly onSearchKey: (event: KeyboardEvent<HTMLInputElement>) => void;
}

export function Filters(props: FiltersProps) {
  const { view, isNarrow, onChange, onOpenView, addFilterRef, onSearchKey } = props;
  const setFilters = (filters: readonly UserFilter[]) => onChange({ ...view, filters }, { replace: false });
  return (
    <search>
      <Group gap="sm" align="end" mb="sm">
        <SearchBox
          value={view.search}
          placeholder={usersCopy.searchHint}
          onSearch={(search, isContinued) => onChange({ ...view, search }, { replace: isContinued })}
          onKeyDown={onSearchKey}
          flex={isNarrow ? '1 1 100%' : '1 1 14rem'}
        />
        <AddFilter
          filters={view.filters}
          onChange={setFilters}
          buttonRef={addFilterRef}
          {...(isNarrow && { px: 'sm' })}
        />
        {isNarrow ? (
          <SortSelect view={view} onChange={onChange} />
        ) : (
          <ColumnPicker view={view} onChange={onChange} />
        )}
        <ViewsMenu query={writeWholeView(view)} onOpen={onOpenView} {...(isNarrow && { px: 'sm' })} />
      </Group>
      <FilterChips
        filters={view.filters}
        onChange={setFilters}
        onClear={() => {
          addFilterRef.current?.focus();
          onChange({ ...view, ...noFilters }, { replace: false });
        }}
        fallbackFocus={addFilterRef}
      />
    </search>
  );
}

/** Replaces sorting by headings on narrow screens. */
function SortSelect({ view, onChange }: Pick<FiltersProps, 'view' | 'onChange'>) {
  const attributes = useAttributes().filter(({ isFilterable }) => isFilterable);
  const keys = [...sortKeys, ...attributes.map(({ key }) => attributeField(key))];
  const own = sortKeys.flatMap((key) => [key, `-${key}`] as const);
  const orders = [
    ...own.map((order) => ({ value: order, label: usersCopy.sorts[order] })),
    ...attributes.flatMap((attribute) => [
      {
        value: attributeField(attribute.key),
        label: attributesCopy.sort.ascending(attributeLabel(attribute)),
      },
      {
        value: `-${attributeField(attribute.key)}`,
        label: attributesCopy.sort.descending(attributeLabel(attribute)),
      },
    ]),
  ];
  return (
    <NativeSelect
      aria-label={usersCopy.sort}
      leftSection={<span aria-hidden="true">↕</span>}
      value={view.isDescending ? `-${view.sort}` : view.sort}
      onChange={(event) => {
        const order = event.currentTarget.value;
        const sort = keys.find((key) => order === key || order === `-${key}`) ?? view.sort;
        onChange({ ...view, sort, isDescending: order.startsWith('-') });
      }}
      data={orders}
      flex="1 1 8rem"
    />
  );
}

function ColumnPicker({ view, onChange }: Pick<FiltersProps, 'view' | 'onChange'>) {
  const attributes = useAttributes();
  const { scopes } = useCurrentUser();
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default">{usersCopy.columns}</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={usersCopy.columns}>
        <Stack gap="xs" mah="min(32rem, 60vh)" style={{ overflowY: 'auto' }}>
          {allColumns(attributes, scopes)
            .filter((column) => column !== 'name')
            .map((column) => (
              <Checkbox
                key={column}
                label={columnName(column, attributes)}
                checked={view.columns.includes(column)}
                onChange={(event) => {
                  const others = view.columns.filter((shown) => shown !== column);
                  onChange({ ...view, columns: event.currentTarget.checked ? [...others, column] : others });
                }}
              />
            ))}
          <Text size="xs" c="dimmed">
            {usersListCopy.columns.hint}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
