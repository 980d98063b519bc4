import {
  Button,
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { keepPreviousData, type Query, queryOptions, useIsFetching, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ChartCard } from '../charts/chart-card.js';
import { useFilters } from '../components/filters.js';
import { PageTitle } from '../components/page-title.js';
import { Problem } from '../components/problem.js';
import { UnsentNotice } from '../components/unsent-notice.js';
import { homeCopy as copy } from '../copy/copy.js';
import { queryClient, rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import { Attention } from './attention.js';
import { Checklist } from './checklist.js';
import { RecentCalls } from './recent-calls.js';
import {
  changeSeries,
  changesSummary,
  type RangeDays,
  rangeDays,
  readRange,
  type Statistics,
  userSeries,
  usersSummary,
} from './statistics.js';
import { Tiles } from './tiles.js';

/** What happened lately, and what needs attention. */
export function HomePage() {
  const { get, set } = useFilters();
  const range = readRange(get('days'));
  const statistics = useQuery(statisticsQuery(range));
  const isNew = statistics.data !== undefined && hasNobody(statistics.data);
  return (
    <>
      <PageTitle title={copy.title}>
        {!isNew && <RangeChoice value={range} onChange={(days) => set({ days: String(days) })} />}
      </PageTitle>
      <UnsentNotice isUrgent />
      {isNew ? (
        <Stack gap="md">
          <Attention isHiddenIfEmpty />
          <FirstSteps />
          <Checklist hasUsers={false} />
        </Stack>
      ) : (
        <Together>
          {statistics.isError && (
            <Problem
              title={copy.cannotLoad}
              error={statistics.error}
              onRetry={() => void statistics.refetch()}
            />
          )}
          <Attention />
          {statistics.data && <Checklist hasUsers />}
          {statistics.isPending && <Loading />}
          {statistics.data && <Tiles statistics={statistics.data} />}
          {statistics.data && <HomeCharts days={statistics.data.days} />}
          <RecentCalls />
        </Together>
      )}
    </>
  );
}

/** A part that takes longer appears when it is there. */
const awaitedMsMax = 1_000;

/** Parts that load separately appear at once, or each would move those below it. */
function Together({ children }: { children: ReactNode }) {
  const loading = useIsFetching(firstLoads);
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    // What was just mounted isn't counted yet when this is rendered for the first time.
    if (loading === 0 && queryClient.isFetching(firstLoads) === 0) setIsShown(true);
  }, [loading]);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), awaitedMsMax);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      {!isShown && <Loading />}
      <Stack gap="md" display={isShown ? undefined : 'none'}>
        {children}
      </Stack>
    </>
  );
}

const firstLoads = { predicate: ({ state }: Query) => state.status === 'pending' };

/** The first administrator is there from the beginning, and may have let some colleagues in. */
const firstUsersMax = 3;

function hasNobody({ users }: Statistics): boolean {
  return users.active + users.inactive <= firstUsersMax;
}

function RangeChoice({ value, onChange }: { value: RangeDays; onChange: (days: RangeDays) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={copy.range}
      value={String(value)}
      onChange={(days) => onChange(readRange(days))}
      data={rangeDays.map((days) => ({ value: String(days), label: copy.ranges[days] }))}
    />
  );
}

function Loading() {
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {['a', 'b', 'c'].map((key) => (
          <Skeleton key={key} height={92} />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Skeleton height={320} />
        <Skeleton height={320} />
      </SimpleGrid>
    </Stack>
  );
}

const startCopy = copy.start;

/** For a service without users. */
function FirstSteps() {
  const mayWrite = usePermission('users:write');
  return (
    <Paper withBorder p="xl" component="section" aria-label={startCopy.title}>
      <Title order={2} size="h3">
        {startCopy.title}
      </Title>
      <Text c="dimmed" mb="lg">
        {startCopy.lead}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
        {Object.values(startCopy.steps).map(({ title, text }) => (
          <div key={title}>
            <Title order={3} size="h5" mb={4}>
              {title}
            </Title>
            <Text size="sm">{text}</Text>
          </div>
        ))}
      </SimpleGrid>
      {mayWrite ? (
        <Group mt="xl">
          <Button component={Link} href="/import">
            {startCopy.import}
          </Button>
          <Button component={Link} href="/users/new" variant="default">
            {startCopy.create}
          </Button>
        </Group>
      ) : (
        <Text mt="lg">{startCopy.ask}</Text>
      )}
    </Paper>
  );
}

function HomeCharts({ days: numbers }: { days: Statistics['days'] }) {
  const [, go] = useLocation();
  const maySeeChanges = usePermission('audit:read');
  const days = numbers.map(({ day }) => day);
  const changes = changeSeries(numbers);
  const listed = `/changes?from=${days[0]}&until=${days.at(-1)}`;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <ChartCard
        title={copy.users.title}
        note={copy.users.note}
        summary={usersSummary(numbers)}
        shape="area"
        days={days}
        series={userSeries(numbers)}
        link={{ href: '/users', label: copy.users.link }}
      />
      <ChartCard
        title={copy.changes.title}
        summary={changesSummary(numbers, changes)}
        shape="bars"
        days={days}
        series={changes}
        link={maySeeChanges ? { href: listed, label: copy.changes.link } : undefined}
        onOpenDay={maySeeChanges ? (day) => go(`/changes?from=${day}&until=${day}`) : undefined}
      />
    </SimpleGrid>
  );
}

/** The key of all numbers per day. */
const statisticsKey = ['statistics'] as const;

function statisticsQuery(days: RangeDays) {
  return queryOptions({
    queryKey: [...statisticsKey, days],
    queryFn: async ({ signal }) => {
      const query = { from: daysAgo(days - 1) };
      return (await rollcall.call('getStatistics', { query, signal })).body.data;
    },
    placeholderData: keepPreviousData,
  });
}

/** A day in UTC. The service decides what today is, so one day more or less doesn't matter. */
function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
