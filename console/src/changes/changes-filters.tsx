import { Anchor, Button, Group, Select, Text } from '@mantine/core';
import { Link } from 'wouter';
import { selectOptions } from '../components/choices.js';
import { DayInput } from '../components/day-input.js';
import { changesCopy, commonCopy } from '../copy/copy.js';
import { type ChangeFilters, fieldChoices, isFiltered, kindChoices, noFilters } from './change-filters.js';
import { PersonSelect } from './person-select.js';

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
        <PersonSelect
          label={copy.user}
          placeholder={copy.anyUser}
          value={userSerial}
          onChange={(serial) => set({ user: serial })}
        />
        <PersonSelect
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
