import { Button, Chip, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useEffect } from 'react';
import { parseChoice } from '../../components/choices.js';
import { useFilters } from '../../components/filters.js';
import { type PagedList, usePagedList } from '../../components/paged-list.js';
import { Problem } from '../../components/problem.js';
import { commonCopy, userPageCopy } from '../../copy/copy.js';
import { formatLongDate } from '../../copy/format.js';
import { rollcall } from '../../session/api.js';
import { useCurrentUser, usePermission } from '../../session/session.js';
import type { User } from '../data/user.js';
import { type Change, historyKey } from '../data/user-queries.js';
import {
  type AccessEvent,
  daysAgo,
  entryOfChange,
  entryOfEvent,
  entryOfMessage,
  filtersFor,
  groupByDay,
  isHoldingBack,
  isShown,
  type Message,
  mergeSources,
  type Source,
  sourcesFor,
  type TimelineEntry,
  type TimelineFilter,
} from './timeline.js';
import css from './timeline.module.css';
import { TimelineItem } from './timeline-item.js';

const copy = userPageCopy.timeline;

interface UserTimelineProps {
  readonly serial: string;
  /** Undefined if the user is gone. */
  readonly user?: User;
}

/** Everything on record about a user, newest first. The filter is kept in the URL. */
export function UserTimeline({ serial, user }: UserTimelineProps) {
  const { get, set } = useFilters();
  const filter = parseChoice(copy.filters, get('show')) ?? 'all';
  const list = useTimeline(serial, filter);
  return (
    <>
      <FilterChips filter={filter} onChange={(chosen) => set({ show: chosen === 'all' ? null : chosen })} />
      <Entries list={list} user={user} />
      {!list.isLoading && list.items.length === 0 && list.error === undefined && !list.hasMore && (
        <Text size="sm" mt="md">
          {copy.empty[filter]}
        </Text>
      )}
      <End list={list} />
    </>
  );
}

interface FilterChipsProps {
  readonly filter: TimelineFilter;
  readonly onChange: (filter: TimelineFilter) => void;
}

function FilterChips({ filter, onChange }: FilterChipsProps) {
  const filters = filtersFor(useCurrentUser().scopes);
  return (
    <Chip.Group value={filter} onChange={(chosen) => onChange(chosen as TimelineFilter)}>
      <Group gap={6} role="radiogroup" aria-label={copy.filter}>
        {filters.map((each) => (
          <Chip key={each} value={each} size="sm" variant="outline">
            {copy.filters[each]}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}

interface EntriesProps {
  readonly list: PagedList<TimelineEntry>;
  readonly user: User | undefined;
}

function Entries({ list, user }: EntriesProps) {
  const mayWrite = usePermission('users:write');
  const newestChange = list.items.find(({ kind }) => kind === 'change');
  if (list.isLoading) {
    return (
      <Stack role="status" aria-label={commonCopy.loading} mt="md">
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} height={44} />
        ))}
      </Stack>
    );
  }
  return (
    <ol className={css.days}>
      {groupByDay(list.items).map(({ start, entries }) => (
        <li key={start}>
          <h3 className={css.day}>{dayName(start)}</h3>
          <ol className={css.entries}>
            {entries.map((entry) => (
              <TimelineItem
                key={entry.key}
                entry={entry}
                user={mayWrite ? user : undefined}
                isCurrent={entry === newestChange}
              />
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

function dayName(start: number): string {
  const ago = daysAgo(start, new Date());
  if (ago === 0) return copy.today;
  return ago === 1 ? copy.yesterday : formatLongDate(new Date(start).toISOString());
}

/** Loads earlier entries when it scrolls into view, or on request. */
function End({ list }: { list: PagedList<TimelineEntry> }) {
  const { ref, inViewport } = useInViewport();
  const { hasMore, isLoading, isLoadingMore, error, loadMore, reload } = list;
  const isDue = inViewport && hasMore && !isLoading && !isLoadingMore && error === undefined;
  useEffect(() => {
    if (isDue) loadMore();
  });
  if (isLoading) return null;
  return (
    <div ref={ref}>
      {error !== undefined && <Problem title={copy.notLoaded} error={error} onRetry={reload} />}
      {hasMore && (
        <Button variant="default" size="xs" mt="sm" onClick={loadMore} loading={isLoadingMore}>
          {copy.more}
        </Button>
      )}
      {!hasMore && list.items.length > 0 && (
        <Text size="sm" c="dimmed" role="status">
          {copy.complete(list.items.length)}
        </Text>
      )}
    </div>
  );
}

/** A message that is being sent changes soon. */
const waitingRefetchMs = 5_000;

/** Changes, access events and messages as one list. */
function useTimeline(userSerial: string, filter: TimelineFilter): PagedList<TimelineEntry> {
  const sources = sourcesFor(filter, useCurrentUser().scopes);
  const changes = usePagedList<Change>({
    key: [...historyKey(userSerial), 'changes'],
    load: async (page, signal) =>
      (await rollcall.call('userHistory', { path: { serial: userSerial }, query: page, signal })).body.data,
    isEnabled: sources.includes('changes'),
  });
  const access = usePagedList<AccessEvent>({
    key: [...historyKey(userSerial), 'access'],
    load: async (page, signal) =>
      (await rollcall.call('listAccessEvents', { query: { userSerial, ...page }, signal })).body.data,
    isEnabled: sources.includes('access'),
  });
  const messages = usePagedList<Message>({
    key: [...historyKey(userSerial), 'messages'],
    load: async (page, signal) =>
      (await rollcall.call('listDeliveries', { query: { userSerial, ...page }, signal })).body.data,
    refetchMs: (items) => items.some(({ state }) => state === 'waiting') && waitingRefetchMs,
    isEnabled: sources.includes('messages'),
  });
  const lists = {
    changes: { ...changes, entries: changes.items.map(entryOfChange) },
    access: { ...access, entries: access.items.map(entryOfEvent) },
    messages: { ...messages, entries: messages.items.map(entryOfMessage) },
  };
  return combined(
    sources.map((source) => lists[source]),
    filter,
  );
}

type LoadedSource = Source & Omit<PagedList<unknown>, 'items'>;

function combined(lists: readonly LoadedSource[], filter: TimelineFilter): PagedList<TimelineEntry> {
  return {
    items: mergeSources(lists).filter((entry) => isShown(entry, filter)),
    isLoading: lists.some(({ isLoading }) => isLoading),
    error: lists.find(({ error }) => error !== undefined)?.error,
    hasMore: lists.some(({ hasMore }) => hasMore),
    isLoadingMore: lists.some(({ isLoadingMore }) => isLoadingMore),
    reload: () => {
      for (const list of lists) if (list.error !== undefined) list.reload();
    },
    loadMore: () => {
      for (const list of lists) if (isHoldingBack(list, lists)) list.loadMore();
    },
  };
}
