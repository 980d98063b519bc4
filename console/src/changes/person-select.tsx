import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useUserName } from '../components/actor.js';
import { typingPauseMs } from '../components/typing-pause.js';
import { activityCopy, changesCopy } from '../copy/copy.js';
import { usePermission } from '../session/session.js';
import { useClientNames, useFoundUsers } from './people.js';

const copy = changesCopy.filters;

interface PersonSelectProps {
  readonly label: string;
  readonly placeholder: string;
  /** The serial of a user, or the ID of a client. */
  readonly value: string | undefined;
  /** Whether programs can be chosen, too. */
  readonly withClients?: boolean;
  readonly onChange: (id: string | null) => void;
}

/** Chooses a user by searching for the name or employee ID. */
export function PersonSelect({
  label,
  placeholder,
  value,
  withClients = false,
  onChange,
}: PersonSelectProps) {
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
