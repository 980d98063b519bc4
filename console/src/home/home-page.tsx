import { SegmentedControl, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PageTitle } from '../components/page-title.js';
import { Problem } from '../components/problem.js';
import { UnsentNotice } from '../components/unsent-notice.js';
import { useFilters } from '../components/use-filters.js';
import { homeCopy as copy } from '../copy/copy.js';
import { Attention } from './attention.js';
import { FirstSteps } from './first-steps.js';
import { HomeCharts } from './home-charts.js';
import { RecentCalls } from './recent-calls.js';
import { type RangeDays, rangeDays, readRange, type Statistics } from './statistics.js';
import { statisticsQuery } from './statistics-query.js';
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
      <UnsentNotice />
      {isNew ? (
        <FirstSteps />
      ) : (
        <Stack gap="md">
          {statistics.isError && (
            <Problem
              title={copy.cannotLoad}
              error={statistics.error}
              onRetry={() => void statistics.refetch()}
            />
          )}
          {statistics.isPending && <Loading />}
          {statistics.data && <Tiles statistics={statistics.data} />}
          <Attention />
          {statistics.data && <HomeCharts days={statistics.data.days} />}
          <RecentCalls />
        </Stack>
      )}
    </>
  );
}

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
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} height={92} />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Skeleton height={320} />
        <Skeleton height={320} />
      </SimpleGrid>
    </>
  );
}
