import { SimpleGrid } from '@mantine/core';
import { useLocation } from 'wouter';
import { ChartCard } from '../charts/chart-card.js';
import { homeCopy as copy } from '../copy/copy.js';
import { usePermission } from '../session/session.js';
import { changeSeries, changesSummary, type Statistics, userSeries, usersSummary } from './statistics.js';

export function HomeCharts({ days: numbers }: { days: Statistics['days'] }) {
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
