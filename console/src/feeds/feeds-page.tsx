import { Anchor, Box, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { EmptyState, NotAllowed } from '../components/empty-state.js';
import { type Feed, feedHealth } from '../components/feeds.js';
import { feedsQuery } from '../components/feeds-query.js';
import { PageTitle } from '../components/page-title.js';
import { type Column, ListTable } from '../components/paged-list.js';
import { StateBadge } from '../components/state-badge.js';
import { useIsPhone } from '../components/use-is-phone.js';
import { commonCopy } from '../copy/copy.js';
import { formatDateTime, formatNumber } from '../copy/format.js';
import { feedsCopy as copy } from '../copy/on-demand-copy.js';
import { usePermission } from '../session/session.js';
import { healthColors, sourceText } from './feed.js';
import { feedsRefetchMs } from './queries.js';
import { RunLink, RunResult } from './run-state.js';
import { Sparkline } from './sparkline.js';

/** The files that the service reads by itself, and how that goes. */
export function FeedsPage() {
  const maySee = usePermission('users:read');
  const mayCreate = usePermission('access:admin');
  const feeds = useQuery({
    ...feedsQuery,
    refetchInterval: ({ state }) => feedsRefetchMs(state.data),
    enabled: maySee,
  });
  const isPhone = useIsPhone();
  const isEmpty = feeds.data?.length === 0;
  return (
    <>
      <PageTitle title={copy.title}>
        {mayCreate && !isEmpty && (
          <Button component={Link} href="/feeds/new">
            {copy.create}
          </Button>
        )}
      </PageTitle>
      {maySee && !isEmpty && (
        <Text c="dimmed" mb="md">
          {copy.lead}
        </Text>
      )}
      {maySee ? (
        <ListTable
          label={copy.title}
          columns={isPhone ? phoneColumns : columns}
          list={{
            items: feeds.data ?? [],
            isLoading: feeds.isPending,
            error: feeds.error ?? undefined,
            hasMore: false,
            isLoadingMore: false,
            reload: () => void feeds.refetch(),
            loadMore: () => {},
          }}
          keyOf={({ key }) => key}
          minWidth={isPhone ? 0 : 760}
          empty={<NoFeeds />}
        />
      ) : (
        <NotAllowed />
      )}
    </>
  );
}

const columns: readonly Column<Feed>[] = [
  { header: copy.columns.feed, cell: (feed) => <NameAndSource feed={feed} /> },
  { header: copy.columns.state, cell: (feed) => <HealthBadge feed={feed} /> },
  { header: copy.columns.lastRun, cell: (feed) => <LastRun feed={feed} /> },
  { header: copy.columns.nextRun, cell: nextRunText },
  { header: copy.columns.changes, cell: ({ recentRuns }) => <Sparkline runs={recentRuns} /> },
  { header: copy.columns.users, isNumber: true, cell: ({ users }) => formatNumber(users) },
];

const phoneColumns: readonly Column<Feed>[] = [
  {
    header: copy.columns.feed,
    cell: (feed) => (
      <>
        <NameAndSource feed={feed} />
        <HealthBadge feed={feed} />
      </>
    ),
  },
  {
    header: copy.columns.lastRun,
    cell: (feed) => (
      <>
        <LastRun feed={feed} />
        <Text size="xs" c="dimmed">
          {`${copy.columns.nextRun}: ${nextRunText(feed)}`}
        </Text>
      </>
    ),
  },
];

function NameAndSource({ feed: { key, name, source } }: { feed: Feed }) {
  return (
    <Box miw="9rem" maw="20rem" style={{ overflowWrap: 'anywhere' }}>
      <Anchor component={Link} href={`/feeds/${key}`} size="sm" fw={600}>
        {name}
      </Anchor>
      <Text size="xs" c="dimmed">
        {sourceText(source)}
      </Text>
    </Box>
  );
}

export function HealthBadge({ feed }: { feed: Feed }) {
  const health = feedHealth(feed);
  return <StateBadge color={healthColors[health]}>{copy.health[health]}</StateBadge>;
}

function LastRun({ feed: { openRun, lastRun } }: { feed: Feed }) {
  const run = openRun ?? lastRun;
  if (run === null) return copy.never;
  return (
    <>
      <RunLink run={run} />
      <Text size="xs" c="dimmed" component="div">
        {/* The state of the feed says what an open run does. */}
        {run !== openRun && `${copy.run.state[run.state]} · `}
        <RunResult run={run} />
      </Text>
    </>
  );
}

export function nextRunText({ source, nextRunAt, isPaused }: Feed): string {
  if (source.type === 'upload') return copy.onlyByUpload;
  if (isPaused) return commonCopy.none;
  return nextRunAt === null ? copy.onlyOnRequest : formatDateTime(nextRunAt);
}

function NoFeeds() {
  const mayImport = usePermission('users:write');
  const mayCreate = usePermission('access:admin');
  return (
    <EmptyState title={copy.empty.title} hint={copy.empty.text}>
      <Text size="sm" ta="center">
        {mayCreate ? copy.empty.how : copy.empty.ask}
      </Text>
      <Group gap="xs" justify="center">
        {mayImport && mayCreate && (
          <Button component={Link} href="/import">
            {copy.empty.import}
          </Button>
        )}
        {mayCreate && (
          <Button component={Link} href="/feeds/new" variant="default">
            {copy.create}
          </Button>
        )}
      </Group>
    </EmptyState>
  );
}
