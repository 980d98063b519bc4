import { Button, Group, Select, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { Actor, ClientName, UserLink } from '../components/actor.js';
import { parseChoice, selectOptions } from '../components/choices.js';
import { dayRange } from '../components/day-range.js';
import { EmptyState, NoMatches } from '../components/empty-state.js';
import { DayInput, UserFilter, useFilters } from '../components/filters.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { activityCopy, commonCopy } from '../copy/copy.js';
import { formatDateTime } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import { eventDetail, refusals } from './access-events.js';

type AccessEvent = Schemas['AccessEvent'];

const copy = activityCopy.signIns;

const columns: readonly Column<AccessEvent>[] = [
  { header: copy.when, isShort: true, cell: ({ at }) => formatDateTime(at) },
  { header: copy.what, cell: (event) => <What event={event} /> },
  { header: copy.about, cell: (event) => <About event={event} /> },
  { header: copy.who, cell: ({ actor }) => <Actor actor={actor} /> },
  { header: copy.address, cell: ({ address }) => address ?? commonCopy.none },
];

export function SignInsPage() {
  const { get, set } = useFilters();
  const kind = parseChoice(copy.kind, get('kind'));
  const [from, until, userSerial] = [get('from'), get('until'), get('userSerial')];
  const times = dayRange(from, until);
  const list = usePagedList<AccessEvent>({
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
        {copy.lead}
      </Text>
      <Group mb="md" align="flex-end">
        <Select
          label={copy.filterKind}
          placeholder={activityCopy.list.any}
          data={selectOptions(copy.kind)}
          value={kind ?? null}
          onChange={(value) => set({ kind: value })}
          clearable
          searchable
          w={240}
        />
        <DayInput label={copy.filterSince} value={from} onChange={(day) => set({ from: day })} />
        <DayInput label={copy.filterUntil} value={until} onChange={(day) => set({ until: day })} />
        {isFiltered && (
          <Button variant="subtle" onClick={clear}>
            {commonCopy.clearFilters}
          </Button>
        )}
      </Group>
      {userSerial && <UserFilter label={copy.onlyUser} serial={userSerial} />}
      <ListTable
        label={copy.table}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={isFiltered ? <NoMatches onClear={clear} /> : <EmptyState title={copy.empty} />}
      />
    </>
  );
}

function What({ event }: { event: AccessEvent }) {
  const detail = eventDetail(event);
  const isRefusal = refusals.has(event.kind);
  return (
    <>
      <Text size="sm" fw={isRefusal ? 700 : undefined}>
        {copy.kind[event.kind]}
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
  if (userSerial !== null) return <UserLink serial={userSerial} />;
  return clientId === null ? commonCopy.none : <ClientName id={clientId} />;
}
