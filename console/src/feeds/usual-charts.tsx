import { SimpleGrid, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { ChartCard } from '../charts/chart-card.js';
import type { Axis, ChartColor, LimitSeries, Series } from '../charts/series.js';
import type { Run } from '../components/feeds.js';
import { formatDateTime, formatShortDate } from '../copy/format.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { changesOf, comparable, comparedMax } from './feed.js';

const copy = feedsCopy.usual;

const axis: Axis = {
  name: copy.run,
  title: formatDateTime,
  label: formatShortDate,
  keysAndOpen: copy.keys,
};

/** What past runs did, next to the run that waits, so that people see what is unusual about it. */
export function UsualCharts({ feed: key }: { feed: string }) {
  const [, go] = useLocation();
  const { data: runs = [] } = useQuery({
    queryKey: ['feeds', 'history', key],
    queryFn: async ({ signal }) => {
      const query = { isDryRun: false, limit: 2 * comparedMax };
      const { items } = (await rollcall.call('listFeedRuns', { path: { key }, query, signal })).body.data;
      return comparable(items);
    },
  });
  const waiting = runs.find(({ state }) => state === 'waiting');
  const past = runs.filter((run) => run !== waiting);
  if (past.length === 0) return null;
  const common = {
    axis,
    days: runs.map(({ createdAt }) => createdAt),
    mark: waiting && { place: waiting.createdAt, label: copy.waits },
    onOpenDay: (at: string) => {
      const run = runs.find(({ createdAt }) => createdAt === at);
      if (run) go(`/feeds/${key}/runs/${run.id}`);
    },
  };
  return (
    <section aria-label={copy.title}>
      <Title order={2} size="h4" mb="xs">
        {copy.title}
      </Title>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <ChartCard
          {...common}
          title={copy.changes}
          shape="bars"
          series={changeSeries(runs)}
          summary={withWaiting(
            copy.changesSummary(past.length, Math.max(...past.map(changesOf))),
            waiting,
            changesOf,
          )}
        />
        <ChartCard
          {...common}
          title={copy.rows}
          shape="bars"
          series={[seriesOf(runs, 'rows', copy.rows, 'blue', rowsOf)]}
          limits={limitSeries(runs, { rowsMin: copy.rowsMin, rowsMax: copy.rowsMax })}
          summary={withWaiting(
            copy.rowsSummary(past.length, Math.min(...past.map(rowsOf)), Math.max(...past.map(rowsOf))),
            waiting,
            rowsOf,
          )}
        />
        {limitedCounts.map(({ kind, limit, color }) => (
          <ChartCard
            key={kind}
            {...common}
            title={copy.counts[kind]}
            shape="bars"
            series={[seriesOf(runs, kind, copy.counts[kind], color, ({ counts }) => counts[kind])]}
            limits={limitSeries(runs, { [limit]: copy.limit })}
            summary={withWaiting(limitText(runs, limit), waiting, ({ counts }) => counts[kind])}
          />
        ))}
      </SimpleGrid>
    </section>
  );
}

/** What people ask about most when a run waits. */
const limitedCounts = [
  { kind: 'created', limit: 'createsMax', color: 'green' },
  { kind: 'deactivated', limit: 'deactivationsMax', color: 'orange' },
] as const;

/** The limits that applied to each run, as far as there were any. */
function limitSeries(runs: readonly Run[], labels: Readonly<Record<string, string>>): LimitSeries[] {
  return Object.entries(labels).flatMap(([name, label]): LimitSeries[] => {
    const values = runs.map(({ limits }) => limits?.[name] ?? null);
    return values.every((value) => value === null) ? [] : [{ key: name, label, color: 'red', values }];
  });
}

function limitText(runs: readonly Run[], name: string): string {
  const limit = runs.at(-1)?.limits?.[name];
  return limit === undefined ? copy.noLimit : copy.lastLimit(limit);
}

function rowsOf({ rows }: Run): number {
  return rows ?? 0;
}

function changeSeries(runs: readonly Run[]): Series[] {
  return [
    seriesOf(runs, 'created', copy.created, 'green', ({ counts }) => counts.created + counts.rehired),
    seriesOf(
      runs,
      'other',
      copy.other,
      'blue',
      ({ counts }) => counts.updated + counts.renamed + counts.reactivated,
    ),
    seriesOf(runs, 'deactivated', copy.deactivated, 'orange', ({ counts }) => counts.deactivated),
  ];
}

function seriesOf(
  runs: readonly Run[],
  key: string,
  label: string,
  color: ChartColor,
  countOf: (run: Run) => number,
): Series {
  return { key, label, color, values: runs.map(countOf) };
}

/** For those who can't see the chart: what the run that waits would do. */
function withWaiting(summary: string, waiting: Run | undefined, countOf: (run: Run) => number): string {
  return waiting ? `${summary} ${copy.marked(countOf(waiting))}` : summary;
}
