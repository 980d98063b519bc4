import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { Client, Person, Who } from '../../components/actor.js';
import { choiceOf, optionsOf } from '../../components/choices.js';
import { EmptyState } from '../../components/empty-state.js';
import { type Column, ListTable } from '../../components/list-table.js';
import { NothingMatches } from '../../components/no-matches.js';
import { useFilters } from '../../components/use-filters.js';
import { useEndless } from '../../components/use-paged-list.js';
import { OnlyPerson } from '../../components/user-filter.js';
import { when } from '../../copy/format.js';
import { texts } from '../../copy/index.js';
import { rollcall } from '../../session/api.js';
import { timesOf } from './day-range.js';
import { eventDetail } from './event-detail.js';

type AccessEvent = Schemas['AccessEvent'];

const words = texts.activity.signIns;

const columns: readonly Column<AccessEvent>[] = [
  { header: words.when, isShort: true, cell: ({ at }) => when(at) },
  { header: words.what, cell: (event) => <What event={event} /> },
  { header: words.about, cell: (event) => <About event={event} /> },
  { header: words.who, cell: ({ actor }) => <Who actor={actor} /> },
  { header: words.address, cell: ({ address }) => address ?? texts.common.none },
];

export function SignInsPage() {
  const { get, set } = useFilters();
  const kind = choiceOf(words.kind, get('kind'));
  const [from, until, userSerial] = [get('from'), get('until'), get('userSerial')];
  const times = timesOf(from, until);
  const list = useEndless<AccessEvent>({
    key: ['activity', 'access-events', { kind, userSerial, ...times }],
    load: async (page, signal) => {
      const query = { kind, userSerial: userSerial ?? undefined, ...times, ...page };
      return (await rollcall.call('listAccessEvents', { query, signal })).body.data;
    },
  });
  const isFiltered = Boolean(kind ?? from ?? until ?? userSerial);
  const clear = () => set({ kind: null, from: null, until: null, userSerial: null });
  return (
    <>
      <Text c="dimmed" mb="sm">
        {words.lead}
      </Text>
      <Group mb="md" align="flex-end">
        <Select
          label={words.filterKind}
          placeholder={texts.activity.list.any}
          data={optionsOf(words.kind)}
          value={kind ?? null}
          onChange={(value) => set({ kind: value })}
          clearable
          searchable
          w={240}
        />
        <Day label={words.filterSince} value={from} onChange={(day) => set({ from: day })} />
        <Day label={words.filterUntil} value={until} onChange={(day) => set({ until: day })} />
        {isFiltered && (
          <Button variant="subtle" onClick={clear}>
            {texts.activity.list.clearFilters}
          </Button>
        )}
      </Group>
      {userSerial && <OnlyPerson label={words.onlyPerson} serial={userSerial} />}
      <ListTable
        label={words.table}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={isFiltered ? <NothingMatches onClear={clear} /> : <EmptyState title={words.empty} />}
      />
    </>
  );
}

interface DayProps {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (day: string) => void;
}

function Day({ label, value, onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      w={160}
    />
  );
}

const refusals = new Set(['sign-in.failed', 'sign-in.delayed', 'token.refused', 'request.forbidden']);

function What({ event }: { event: AccessEvent }) {
  const detail = eventDetail(event);
  const isRefusal = refusals.has(event.kind);
  return (
    <>
      <Text size="sm" fw={isRefusal ? 700 : undefined}>
        {words.kind[event.kind]}
      </Text>
      {detail && (
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      )}
    </>
  );
}

function About({ event: { userSerial, clientId } }: { event: AccessEvent }) {
  if (userSerial !== null) return <Person serial={userSerial} />;
  return clientId === null ? texts.common.none : <Client id={clientId} />;
}
