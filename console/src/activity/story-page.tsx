import { Affix, Button, Group, Switch, Text, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { EmptyState, NoMatches } from '../components/empty-state.js';
import { useFilters } from '../components/filters.js';
import { LoadMore, usePagedList } from '../components/paged-list.js';
import { Problem } from '../components/problem.js';
import { StateBadge } from '../components/state-badge.js';
import { activityCopy, changesCopy as copy } from '../copy/copy.js';
import { onLiveChange, useLive } from '../live/live-store.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import { ActivityFilterRow } from './activity-filters.js';
import { ExportStory } from './export-story.js';
import {
  type ActivityFilters,
  activityQuery,
  isFiltered,
  matchesFilters,
  noFilters,
  readActivityFilters,
  type StoryEntry,
  withGroupedEdits,
} from './story.js';
import { StoryList, StoryLoading } from './story-list.js';

/** The first view of the activity: what happened, in the words of those who look after users. */
export function StoryPage() {
  const { get, set } = useFilters();
  const filters = readActivityFilters(get);
  const seesChanges = usePermission('audit:read');
  const showsIDs = get('ids') !== null;
  return (
    <>
      <Text c="dimmed" mb="sm">
        {seesChanges ? copy.lead : copy.limitedLead}
      </Text>
      <ActivityFilterRow filters={filters} set={set} byChange={seesChanges} />
      <Group justify="space-between" mb="xs" gap="sm">
        <Group gap="md">
          <Switch
            label={copy.showIDs}
            size="sm"
            checked={showsIDs}
            onChange={(event) => set({ ids: event.currentTarget.checked ? '1' : null })}
          />
          <LiveBadge />
        </Group>
        <ExportStory filters={filters} />
      </Group>
      <Story filters={filters} showsIDs={showsIDs} onClear={() => set(noFilters)} />
    </>
  );
}

interface StoryProps {
  readonly filters: ActivityFilters;
  readonly showsIDs: boolean;
  readonly onClear: () => void;
}

function Story({ filters, showsIDs, onClear }: StoryProps) {
  const queries = useQueryClient();
  const feed = useRef<HTMLDivElement>(null);
  const [newCount, reset] = useNewChanges(filters);
  const seesChanges = usePermission('audit:read');
  const key = ['changes', filters];
  const list = usePagedList<StoryEntry>({
    key,
    load: async (page, signal) => {
      const query = { ...activityQuery(filters, seesChanges), ...page };
      return (await rollcall.call('listActivity', { query, signal })).body.data;
    },
  });
  const showNew = async () => {
    reset();
    await queries.resetQueries({ queryKey: key, exact: true });
    window.scrollTo({ top: 0 });
    feed.current?.focus();
  };
  if (list.isLoading) return <StoryLoading />;
  if (list.items.length === 0 && list.error !== undefined)
    return <Problem title={activityCopy.list.cannotLoad} error={list.error} onRetry={list.reload} />;
  return (
    <div ref={feed} tabIndex={-1} style={{ outline: 'none' }}>
      {/* Above what is being read, which stays where it is. */}
      <div role="status">
        {newCount > 0 && (
          <Affix position={{ top: 64, left: '50%' }} style={{ transform: 'translateX(-50%)' }} zIndex={90}>
            <Button
              radius="xl"
              size="xs"
              onClick={() => void showNew()}
              style={{ boxShadow: 'var(--mantine-shadow-md)' }}
            >
              ↑ {copy.new(Math.min(newCount, countedMax), newCount > countedMax)}
            </Button>
          </Affix>
        )}
      </div>
      {list.items.length === 0 && !list.hasMore ? (
        isFiltered(filters) ? (
          <NoMatches onClear={onClear} />
        ) : (
          <EmptyState title={copy.empty} />
        )
      ) : (
        <>
          <StoryList entries={list.items} filters={filters} showsIDs={showsIDs} />
          {/* A search goes through the log in parts, and finds nothing in some of them. */}
          <LoadMore list={list} shown={withGroupedEdits(list.items).length} />
        </>
      )}
    </div>
  );
}

/** Whether changes are shown as they happen. */
function LiveBadge() {
  const connection = useLive((state) => state.connection);
  if (connection === 'off') return null;
  const isLost = connection === 'lost';
  return (
    <Tooltip label={isLost ? copy.reconnectingHint : copy.liveHint}>
      <div role="status">
        <StateBadge color={isLost ? 'yellow' : 'green'}>{isLost ? copy.reconnecting : copy.live}</StateBadge>
      </div>
    </Tooltip>
  );
}

/** More are not counted. */
const countedMax = 99;

/** How many changes have happened since the list was loaded, and a function to call when it is loaded again. */
function useNewChanges(filters: ActivityFilters): readonly [count: number, reset: () => void] {
  const key = JSON.stringify(filters);
  const [counted, setCounted] = useState({ key, count: 0 });
  useEffect(() => {
    const wanted = JSON.parse(key) as ActivityFilters;
    setCounted({ key, count: 0 });
    return onLiveChange((change) => {
      if (!matchesFilters(wanted, change)) return;
      setCounted((now) => (now.count > countedMax ? now : { key, count: now.count + 1 }));
    });
  }, [key]);
  return [counted.key === key ? counted.count : 0, () => setCounted({ key, count: 0 })];
}
