import { Anchor, Button, Group, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useUserName } from '../components/actor.js';
import { selectOptions } from '../components/choices.js';
import { DayInput } from '../components/filters.js';
import { typingPauseMs } from '../components/search-box.js';
import { activityCopy, changesCopy, commonCopy } from '../copy/copy.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import { type ChangeFilters, fieldChoices, isFiltered, kindChoices, noFilters } from './changes.js';

const copy = changesCopy.filters;

interface ChangesFiltersProps {
  readonly filters: ChangeFilters;
  readonly set: (changes: Readonly<Record<string, string | null>>) => void;
}

export function ChangesFilters({ filters, set }: ChangesFiltersProps) {
  const { actorId, userSerial, callId, kind, field, from, until } = filters;
  return (
    <>
      <Group mb="md" align="flex-end" gap="sm">
        <UserSelect
          label={copy.user}
          placeholder={copy.anyUser}
          value={userSerial}
          onChange={(serial) => set({ user: serial })}
        />
        <UserSelect
          label={copy.who}
          placeholder={copy.anyone}
          value={actorId}
          withClients
          onChange={(id) => set({ by: id })}
        />
        <Select
          label={copy.kind}
          placeholder={copy.any}
          data={selectOptions(kindChoices)}
          value={kind ?? null}
          onChange={(value) => set({ kind: value })}
          clearable
          w={120}
        />
        <Select
          label={copy.field}
          placeholder={copy.any}
          data={selectOptions(fieldChoices)}
          value={field ?? null}
          onChange={(value) => set({ field: value })}
          clearable
          searchable
          w={130}
        />
        <DayInput label={copy.from} value={from} onChange={(day) => set({ from: day })} />
        <DayInput label={copy.until} value={until} onChange={(day) => set({ until: day })} />
        {isFiltered(filters) && (
          <Button variant="subtle" onClick={() => set(noFilters)}>
            {commonCopy.clearFilters}
          </Button>
        )}
      </Group>
      {callId && (
        <Text size="sm" mb="sm">
          {copy.call}{' '}
          <Anchor component={Link} href={`/activity/calls/${callId}`} inherit underline="always">
            {changesCopy.bulkCall}
          </Anchor>
        </Text>
      )}
    </>
  );
}

interface UserSelectProps {
  readonly label: string;
  readonly placeholder: string;
  /** The serial of a user, or the ID of a client. */
  readonly value: string | undefined;
  /** Whether programs can be chosen, too. */
  readonly withClients?: boolean;
  readonly onChange: (id: string | null) => void;
}

/** Chooses a user by searching for the name or employee ID. */
function UserSelect({ label, placeholder, value, withClients = false, onChange }: UserSelectProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), typingPauseMs);
  const found = useFoundUsers(search);
  const clients = useClientNames(usePermission('access:admin') && withClients);
  const chosen = useChosen(value, clients);
  const users = found.map(({ serial, name, employeeID }) => ({ value: serial, label: name, employeeID }));
  const isListed = [...users, ...clients].some((option) => option.value === value);
  const named = clients.filter((client) => client.label.toLowerCase().includes(typed.trim().toLowerCase()));
  const listed = [
    ...(chosen && !isListed ? [chosen] : []),
    { group: copy.users, items: users },
    ...(named.length > 0 ? [{ group: copy.clients, items: named }] : []),
  ];
  return (
    <Select
      label={label}
      placeholder={placeholder}
      value={value ?? null}
      onChange={onChange}
      data={listed}
      filter={({ options }) => options}
      onSearchChange={setTyped}
      nothingFoundMessage={search === '' ? copy.search : copy.nobody}
      renderOption={({ option }) => (
        <span>
          {option.label}
          {'employeeID' in option && (
            <Text span size="xs" c="dimmed" ml="xs">
              {String(option.employeeID)}
            </Text>
          )}
        </span>
      )}
      searchable
      clearable
      w={165}
    />
  );
}

/** What a link has chosen is in no list. */
function useChosen(value: string | undefined, clients: readonly { value: string; label: string }[]) {
  const isClient = value !== undefined && !/^[0-9a-f-]{36}$/i.test(value);
  const { data: name } = useUserName(isClient ? '' : (value ?? ''), value !== undefined && !isClient);
  if (value === undefined) return undefined;
  const client = clients.find((each) => each.value === value);
  return { value, label: client?.label ?? name ?? (isClient ? value : activityCopy.actors.unknown) };
}

const shownMax = 20;
const clientsMax = 200;
const staleMs = 60_000;

/** Users who match a search, or the first ones. */
function useFoundUsers(search: string) {
  const { data } = useQuery({
    queryKey: ['found-users', search],
    queryFn: async ({ signal }) => {
      const query = { limit: shownMax, sort: 'name' as const, ...(search === '' ? {} : { search }) };
      return (await rollcall.call('listUsers', { query, signal })).body.data.items;
    },
    placeholderData: keepPreviousData,
    staleTime: staleMs,
  });
  return data ?? [];
}

/** Programs that may have changed users. */
function useClientNames(isAllowed: boolean) {
  const { data } = useQuery({
    queryKey: ['activity', 'client-names'],
    queryFn: async ({ signal }) => {
      const { items } = (await rollcall.call('listClients', { query: { limit: clientsMax }, signal })).body
        .data;
      return items.map(({ id, name }) => ({ value: id, label: name }));
    },
    enabled: isAllowed,
    staleTime: staleMs,
  });
  return data ?? [];
}
