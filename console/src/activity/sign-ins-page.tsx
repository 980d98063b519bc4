import { Select, Switch, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { Actor, ClientName, UserLink } from '../components/actor.js';
import { parseChoice, selectOptions } from '../components/choices.js';
import { dayRange } from '../components/day-range.js';
import { Advanced } from '../components/disclosure.js';
import { EmptyState, NoMatches } from '../components/empty-state.js';
import { UserFilter, useFilters } from '../components/filters.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { activityCopy, commonCopy } from '../copy/copy.js';
import { formatDateTime } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import { eventDetail, refusals } from './access-events.js';
import { ActivityFilterRow } from './activity-filters.js';
import { isFiltered, noFilters, readActivityFilters } from './story.js';

type AccessEvent = Schemas['AccessEvent'];

const copy = activityCopy.signIns;

const columns: readonly Column<AccessEvent>[] = [
  { header: copy.when, isShort: true, cell: ({ at }) => formatDateTime(at) },
  { header: copy.what, cell: (event) => <What event={event} /> },
  { header: copy.about, cell: (event) => <About event={event} /> },
  { header: copy.who, cell: ({ actor }) => <Actor actor={actor} /> },
  { header: copy.address, cell: ({ address }) => address ?? commonCopy.none },
];

const noOthers = { event: null, userSerial: null };

export function SignInsPage() {
  const { get, set } = useFilters();
  const filters = readActivityFilters(get);
  const { actorId, from, until } = filters;
  // Links have named it so before there was one row of filters.
  const kind = parseChoice(copy.kind, get('event') ?? get('kind'));
  const userSerial = get('userSerial');
  const isTechnical = get('technical') !== null;
  const wanted = {
    ...{ kind, actorId, userSerial: userSerial ?? undefined },
    ...(kind === undefined && !isTechnical && { notKind: 'token.issued' as const }),
    ...dayRange(from, until),
  };
  const list = usePagedList<AccessEvent>({
    key: ['activity', 'access-events', wanted],
    load: async (page, signal) =>
      (await rollcall.call('listAccessEvents', { query: { ...wanted, ...page }, signal })).body.data,
  });
  const hasOthers = (kind ?? userSerial ?? undefined) !== undefined;
  const clear = () => set({ ...noFilters, ...noOthers });
  return (
    <>
      <Text c="dimmed" mb="sm">
        {copy.lead}
      </Text>
      <ActivityFilterRow filters={{ ...filters, kind: undefined }} {...{ set, noOthers, hasOthers }}>
        <Select
          label={copy.filterKind}
          placeholder={activityCopy.list.any}
          data={selectOptions(copy.kind)}
          value={kind ?? null}
          onChange={(value) => set({ event: value, kind: null })}
          clearable
          searchable
          w={220}
        />
      </ActivityFilterRow>
      {userSerial && <UserFilter label={copy.onlyUser} serial={userSerial} />}
      <Advanced>
        <Switch
          label={copy.showTokens}
          size="sm"
          checked={isTechnical}
          onChange={(event) => set({ technical: event.currentTarget.checked ? '1' : null })}
        />
      </Advanced>
      <ListTable
        label={copy.table}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={
          hasOthers || isFiltered(filters) ? <NoMatches onClear={clear} /> : <EmptyState title={copy.empty} />
        }
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
