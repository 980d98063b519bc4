import { Select, Switch, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { Actor, ClientName, FeedLink, UserLink } from '../components/actor.js';
import { parseChoice } from '../components/choices.js';
import { dayRange } from '../components/day-range.js';
import { Advanced } from '../components/disclosure.js';
import { EmptyState, NoMatches } from '../components/empty-state.js';
import { UserFilter, useFilters } from '../components/filters.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { StateBadge } from '../components/state-badge.js';
import { useIsPhone } from '../components/use-is-phone.js';
import { activityCopy, commonCopy } from '../copy/copy.js';
import { formatDateTime, formatTime } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import { eventChoices, eventDetail, type Repeated, refusals, withoutRepeats } from './access-events.js';
import { ActivityFilterRow } from './activity-filters.js';
import { isFiltered, noFilters, readActivityFilters } from './story.js';

type AccessEvent = Schemas['AccessEvent'];

const copy = activityCopy.signIns;

type Row = Repeated<AccessEvent>;

const columns: readonly Column<Row>[] = [
  { header: copy.when, isShort: true, cell: (event) => <When event={event} /> },
  { header: copy.who, cell: (event) => <Who event={event} /> },
  { header: copy.what, cell: (event) => <What event={event} /> },
  { header: copy.address, cell: ({ address }) => address ?? commonCopy.none },
];

const phoneColumns: readonly Column<Row>[] = [
  {
    header: copy.who,
    cell: (event) => (
      <>
        <Who event={event} />
        <When event={event} />
      </>
    ),
  },
  { header: copy.what, cell: (event) => <What event={event} /> },
];

const noOthers = { event: null, userSerial: null };

export function SignInsPage() {
  const { get, set } = useFilters();
  const isPhone = useIsPhone();
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
          data={eventChoices()}
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
        columns={isPhone ? phoneColumns : columns}
        list={{ ...list, items: withoutRepeats(list.items) }}
        minWidth={isPhone ? 0 : 680}
        keyOf={({ id }) => id}
        empty={
          hasOthers || isFiltered(filters) ? <NoMatches onClear={clear} /> : <EmptyState title={copy.empty} />
        }
      />
    </>
  );
}

function When({ event: { at, times, firstAt } }: { event: Row }) {
  return (
    <>
      <Text size="sm">{formatDateTime(at)}</Text>
      {times > 1 && (
        <Text size="xs" c="dimmed">
          {copy.times(times, formatTime(firstAt))}
        </Text>
      )}
    </>
  );
}

/** Nobody else makes someone sign in. */
function Who({ event: { actor, userSerial, clientId } }: { event: Row }) {
  if (actor !== null) return <Actor actor={actor} />;
  if (userSerial !== null) return <UserLink serial={userSerial} />;
  return clientId === null ? copy.unknown : <ClientName id={clientId} />;
}

function What({ event }: { event: Row }) {
  const about = aboutOf(event);
  const isNamed = event.kind === 'client.created' && about !== undefined;
  const detail = isNamed ? undefined : eventDetail(event);
  return (
    <>
      <Text size="sm" component="div">
        {refusals.has(event.kind) ? (
          <StateBadge color="red">{copy.kind[event.kind]}</StateBadge>
        ) : (
          copy.kind[event.kind]
        )}
        {about && <>: {about}</>}
      </Text>
      {detail && (
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      )}
    </>
  );
}

/** What it was done to, if that was not whoever did it. */
function aboutOf({ actor, userSerial, clientId, detail }: Row) {
  if (actor === null) return undefined;
  if (userSerial !== null)
    return userSerial === actor.id ? undefined : <UserLink serial={userSerial} isInline />;
  if (clientId !== null) return clientId === actor.id ? undefined : <ClientName id={clientId} />;
  return typeof detail.feed === 'string' ? <FeedLink feed={detail.feed} isInline /> : undefined;
}
