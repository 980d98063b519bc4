import { Button, Chip, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useEffect } from 'react';
import { parseChoice } from '../../components/choices.js';
import { useFilters } from '../../components/filters.js';
import type { PagedList } from '../../components/paged-list.js';
import { Problem } from '../../components/problem.js';
import { commonCopy, userPageCopy } from '../../copy/copy.js';
import { formatLongDate } from '../../copy/format.js';
import { useCurrentUser } from '../../session/session.js';
import { daysAgo, groupByDay } from './group-by-day.js';
import css from './timeline.module.css';
import type { TimelineEntry } from './timeline-entry.js';
import { filtersFor, type TimelineFilter } from './timeline-filter.js';
import { TimelineItem } from './timeline-item.js';
import { useTimeline } from './use-timeline.js';

const copy = userPageCopy.timeline;

/** Everything on record about a user, newest first. The filter is kept in the URL. */
export function UserTimeline({ serial }: { serial: string }) {
  const { get, set } = useFilters();
  const filter = parseChoice(copy.filters, get('show')) ?? 'all';
  const list = useTimeline(serial, filter);
  return (
    <>
      <FilterChips filter={filter} onChange={(chosen) => set({ show: chosen === 'all' ? null : chosen })} />
      <Entries list={list} />
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

function Entries({ list }: { list: PagedList<TimelineEntry> }) {
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
              <TimelineItem key={entry.key} entry={entry} />
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
