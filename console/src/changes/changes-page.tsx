import { Affix, Button, Text, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { EmptyState, NoMatches, NotAllowed } from '../components/empty-state.js';
import { useFilters } from '../components/filters.js';
import { PageTitle } from '../components/page-title.js';
import { LoadMore, usePagedList } from '../components/paged-list.js';
import { Problem } from '../components/problem.js';
import { StateBadge } from '../components/state-badge.js';
import { activityCopy, changesCopy as copy } from '../copy/copy.js';
import { onLiveChange, useLive } from '../live/live-store.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import {
  type Change,
  type ChangeFilters,
  changesQuery,
  isFiltered,
  matchesFilters,
  noFilters,
  readChangeFilters,
} from './changes.js';
import { ChangesFeed, FeedLoading } from './changes-feed.js';
import { ChangesFilters } from './changes-filters.js';

export function ChangesPage() {
  return usePermission('audit:read') ? <AllowedPage /> : <NotAllowed />;
}

function AllowedPage() {
  const { get, set } = useFilters();
  const filters = readChangeFilters(get);
  return (
    <>
      <PageTitle title={copy.title}>
        <LiveBadge />
      </PageTitle>
      <Text c="dimmed" mb="sm">
        {copy.lead}
      </Text>
      <ChangesFilters filters={filters} set={set} />
      <Feed filters={filters} onClear={() => set(noFilters)} />
    </>
  );
}

function Feed({ filters, onClear }: { filters: ChangeFilters; onClear: () => void }) {
  const queries = useQueryClient();
  const feed = useRef<HTMLDivElement>(null);
  const [newCount, reset] = useNewChanges(filters);
  const key = ['changes', filters];
  const list = usePagedList<Change>({
    key,
    load: async (page, signal) =>
      (await rollcall.call('listChanges', { query: { ...changesQuery(filters), ...page }, signal })).body
        .data,
  });
  const showNew = async () => {
    reset();
    await queries.resetQueries({ queryKey: key, exact: true });
    window.scrollTo({ top: 0 });
    feed.current?.focus();
  };
  if (list.isLoading) return <FeedLoading />;
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
      {list.items.length === 0 ? (
        isFiltered(filters) ? (
          <NoMatches onClear={onClear} />
        ) : (
          <EmptyState title={copy.empty} />
        )
      ) : (
        <>
          <ChangesFeed changes={list.items} />
          <LoadMore list={list} />
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
function useNewChanges(filters: ChangeFilters): readonly [count: number, reset: () => void] {
  const key = JSON.stringify(filters);
  const [counted, setCounted] = useState({ key, count: 0 });
  useEffect(() => {
    const wanted = JSON.parse(key) as ChangeFilters;
    setCounted({ key, count: 0 });
    return onLiveChange((change) => {
      if (!matchesFilters(wanted, change)) return;
      setCounted((now) => (now.count > countedMax ? now : { key, count: now.count + 1 }));
    });
  }, [key]);
  return [counted.key === key ? counted.count : 0, () => setCounted({ key, count: 0 })];
}
