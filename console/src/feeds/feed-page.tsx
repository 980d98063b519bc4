import { Anchor, Button, Group, Paper, Skeleton, Stack } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { EmptyState, NotAllowed, PageNotFound } from '../components/empty-state.js';
import { Fact, Facts } from '../components/facts.js';
import type { Feed } from '../components/feeds.js';
import { PageTitle } from '../components/page-title.js';
import { Problem } from '../components/problem.js';
import { Section } from '../components/section.js';
import { SectionTabs } from '../components/section-tabs.js';
import { formatNumber } from '../copy/format.js';
import { feedsCopy as copy } from '../copy/on-demand-copy.js';
import { usePermission } from '../session/session.js';
import { isUnderWay, sourceText } from './feed.js';
import { FeedActions } from './feed-actions.js';
import { FeedSettings } from './feed-settings.js';
import { FeedVersions } from './feed-versions.js';
import { HealthBadge, nextRunText } from './feeds-page.js';
import { feedQuery } from './queries.js';
import { StopRun } from './run-decisions.js';
import { RunNotice } from './run-notice.js';
import { RunLink, RunProgress, RunResult } from './run-state.js';
import { RunsTable } from './runs-table.js';
import { scheduleTexts } from './schedule-text.js';
import { UsualCharts } from './usual-charts.js';

const tabs = ['overview', 'settings', 'versions'] as const;
type Tab = (typeof tabs)[number];

export function FeedPage({ feed: key, tab: wanted }: { feed: string; tab: string }) {
  const maySee = usePermission('users:read');
  const { data: feed, error, refetch } = useQuery({ ...feedQuery(key), enabled: maySee });
  const tab = tabs.find((each) => each === wanted);
  if (!tab) return <PageNotFound />;
  return (
    <>
      <Anchor component={Link} href="/feeds" size="sm">
        {copy.back}
      </Anchor>
      <PageTitle title={feed?.name ?? copy.columns.feed} part={copy.tabs[tab]} section={copy.title}>
        {feed && <FeedActions feed={feed} />}
      </PageTitle>
      {!maySee && <NotAllowed />}
      {isRollcallError(error, 'FEED_NOT_FOUND') ? (
        <EmptyState title={copy.notFound} hint={copy.notFoundHint} />
      ) : (
        error !== null && <Problem title={copy.cannotLoad} error={error} onRetry={() => void refetch()} />
      )}
      {maySee && !feed && error === null && <Skeleton height={160} />}
      {feed && (
        <>
          <SectionTabs
            label={copy.tabs.label}
            tabs={tabs.map((each) => ({ href: pathOf(key, each), label: copy.tabs[each] }))}
          />
          <TabContent feed={feed} tab={tab} />
        </>
      )}
    </>
  );
}

function pathOf(key: string, tab: Tab): string {
  return tab === 'overview' ? `/feeds/${key}` : `/feeds/${key}/${tab}`;
}

function TabContent({ feed, tab }: { feed: Feed; tab: Tab }) {
  if (tab === 'settings') return <FeedSettings feed={feed} />;
  return tab === 'versions' ? <FeedVersions feed={feed.key} /> : <Overview feed={feed} />;
}

/** What needs a decision comes first, together with what is usual. */
function Overview({ feed }: { feed: Feed }) {
  const { openRun, lastRun } = feed;
  const isWaiting = openRun?.state === 'waiting';
  const isLastTold = lastRun !== null && ['failed', 'stopped'].includes(lastRun.state);
  return (
    <Stack gap="lg">
      {isWaiting && (
        <>
          <RunNotice feed={feed} run={openRun} isOnFeedPage />
          <UsualCharts feed={feed.key} />
        </>
      )}
      {openRun && isUnderWay(openRun) && (
        <Paper withBorder p="md">
          <RunProgress run={openRun} />
          <Group mt="sm" gap="sm">
            <Button component={Link} href={`/feeds/${feed.key}/runs/${openRun.id}`} variant="default">
              {copy.run.view}
            </Button>
            <StopRun run={openRun} />
          </Group>
        </Paper>
      )}
      {!openRun && isLastTold && <RunNotice feed={feed} run={lastRun} isOnFeedPage />}
      <FeedFacts feed={feed} />
      {!isWaiting && <UsualCharts feed={feed.key} />}
      <RunsTable feed={feed} />
    </Stack>
  );
}

function FeedFacts({ feed }: { feed: Feed }) {
  const { lastRun, source } = feed;
  const isFetched = source.type !== 'upload';
  return (
    <Section title={copy.facts} hidesTitle>
      <Facts>
        <Fact name={copy.columns.state}>
          <HealthBadge feed={feed} />
        </Fact>
        <Fact name={copy.from}>{sourceText(source)}</Fact>
        {isFetched && (
          <Fact name={copy.schedule}>
            {scheduleTexts(feed.schedule).map((text) => (
              <div key={text}>{text}</div>
            ))}
          </Fact>
        )}
        <Fact name={copy.columns.lastRun}>
          {lastRun === null ? (
            copy.never
          ) : (
            <>
              <RunLink run={lastRun} /> · {copy.run.state[lastRun.state]} · <RunResult run={lastRun} />
            </>
          )}
        </Fact>
        <Fact name={copy.columns.nextRun}>{nextRunText(feed)}</Fact>
        <Fact name={copy.columns.users}>{formatNumber(feed.users)}</Fact>
      </Facts>
    </Section>
  );
}
