import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useUserName } from '../components/actor.js';
import { selectOptions } from '../components/choices.js';
import { periods, startOfPeriod } from '../components/day-range.js';
import { EntrySelect } from '../components/entry-inputs.js';
import { feedsQuery } from '../components/feeds-query.js';
import { typingPauseMs } from '../components/search-box.js';
import { activityCopy, changesCopy, commonCopy } from '../copy/copy.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import { type ActivityFilters, fieldChoices, isFiltered, kindChoices, noFilters } from './story.js';

const copy = changesCopy.filters;

interface ActivityFilterRowProps {
  readonly filters: ActivityFilters;
  readonly set: (changes: Readonly<Record<string, string | null>>) => void;
  /** Whether what changed can be chosen as well. */
  readonly byChange?: boolean;
  /** What only this view can be filtered by. */
  readonly children?: ReactNode;
  /** Those of the view. */
  readonly noOthers?: Readonly<Record<string, null>>;
  readonly hasOthers?: boolean;
}

/** The same row above every view: from when until when, who did it, and what it was. */
export function ActivityFilterRow({
  filters,
  set,
  byChange = false,
  children,
  noOthers = {},
  hasOthers = false,
}: ActivityFilterRowProps) {
  const { actorId, organizationSerial, kind, field, from, until } = filters;
  return (
    <>
      <Group mb="md" align="flex-end" gap="sm">
        <TimeInput label={copy.from} time="00:00" value={from} onChange={(time) => set({ from: time })} />
        <TimeInput label={copy.until} time="23:59" value={until} onChange={(time) => set({ until: time })} />
        <AuthorSelect value={actorId} onChange={(id) => set({ by: id })} />
        {byChange && (
          <>
            <Select
              label={copy.kind}
              placeholder={copy.any}
              data={selectOptions(kindChoices)}
              value={kind ?? null}
              onChange={(value) => set({ kind: value })}
              clearable
              w={105}
            />
            <Select
              label={copy.field}
              placeholder={copy.any}
              data={selectOptions(fieldChoices)}
              value={field ?? null}
              onChange={(value) => set({ field: value })}
              clearable
              searchable
              w={115}
            />
            <div style={{ width: 165 }}>
              <EntrySelect
                kind="organizations"
                label={commonCopy.fields.organizationSerial}
                value={organizationSerial ?? null}
                onChange={(serial) => set({ organization: serial })}
                except=""
              />
            </div>
          </>
        )}
        {children}
        {(isFiltered(filters) || hasOthers) && (
          <Button variant="subtle" onClick={() => set({ ...noFilters, ...noOthers })}>
            {commonCopy.clearFilters}
          </Button>
        )}
      </Group>
      <Group gap="xs" mt="-xs" mb="md" role="group" aria-label={changesCopy.periods.label}>
        {periods.map((period) => (
          <Button
            key={period}
            variant="default"
            size="compact-xs"
            onClick={() => set({ from: startOfPeriod(period, new Date()), until: null })}
          >
            {changesCopy.periods[period]}
          </Button>
        ))}
      </Group>
    </>
  );
}

interface TimeInputProps {
  readonly label: string;
  /** What a day without a time means. */
  readonly time: string;
  readonly value: string | null;
  readonly onChange: (time: string | null) => void;
}

/** A day and a time of day. Links may name a day only. */
function TimeInput({ label, time, value, onChange }: TimeInputProps) {
  const shown = value === null || value.includes('T') ? value : `${value}T${time}`;
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={shown ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || null)}
      w={200}
    />
  );
}

interface AuthorSelectProps {
  /** The serial of a user, the ID of a client, or the key of a feed. */
  readonly value: string | undefined;
  readonly onChange: (id: string | null) => void;
}

/** Chooses a user by searching for the name or employee ID, or a program. */
function AuthorSelect({ value, onChange }: AuthorSelectProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), typingPauseMs);
  const found = useFoundUsers(search);
  const programs = [...useFeedNames(), ...useClientNames(usePermission('access:admin'))];
  const chosen = useChosen(value, programs);
  const users = found.map(({ serial, name, employeeID }) => ({ value: serial, label: name, employeeID }));
  const isListed = [...users, ...programs].some((option) => option.value === value);
  const named = programs.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()));
  const listed = [
    ...(chosen && !isListed ? [chosen] : []),
    { group: copy.users, items: users },
    ...(named.length > 0 ? [{ group: copy.programs, items: named }] : []),
  ];
  return (
    <Select
      label={copy.who}
      placeholder={copy.anyone}
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
      w={150}
    />
  );
}

/** What a link has chosen is in no list. */
function useChosen(value: string | undefined, programs: readonly { value: string; label: string }[]) {
  const isProgram = value !== undefined && !/^[0-9a-f-]{36}$/i.test(value);
  const { data: name } = useUserName(isProgram ? '' : (value ?? ''), value !== undefined && !isProgram);
  if (value === undefined) return undefined;
  const program = programs.find((each) => each.value === value);
  return { value, label: program?.label ?? name ?? (isProgram ? value : activityCopy.actors.unknown) };
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

function useFeedNames() {
  const { data } = useQuery({ ...feedsQuery, staleTime: staleMs });
  return (data ?? []).map(({ key, name }) => ({ value: key, label: name }));
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
