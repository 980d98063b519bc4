import { Anchor, Group, Paper, SegmentedControl, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { ScrollRegion } from '../components/scroll-region.js';
import { commonCopy, homeCopy as copy } from '../copy/copy.js';
import { formatNumber } from '../copy/format.js';
import styles from './chart.module.css';
import { DayChart, dayAxis } from './day-chart.js';
import { type Axis, cssColor, type LimitSeries, type Mark, type Series } from './series.js';

interface ChartCardProps {
  readonly title: string;
  readonly summary: string;
  /** How to read it. */
  readonly note?: string;
  readonly shape: 'area' | 'bars';
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly limits?: readonly LimitSeries[] | undefined;
  /** The list behind the numbers. */
  readonly link?: { readonly href: string; readonly label: string } | undefined;
  readonly onOpenDay?: ((day: string) => void) | undefined;
  /** What to call the days, if they are something else. */
  readonly axis?: Axis;
  readonly mark?: Mark | undefined;
}

/** A chart, or its numbers as a table. */
export function ChartCard({ title, note, link, ...chart }: ChartCardProps) {
  const [view, setView] = useState<'chart' | 'table'>('chart');
  return (
    <Paper withBorder p="md" component="section" aria-label={title} h="100%" miw={0}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={copy.chart.view(title)}
          value={view}
          onChange={(value) => setView(value as 'chart' | 'table')}
          data={[
            { value: 'chart', label: copy.chart.chart },
            { value: 'table', label: copy.chart.table },
          ]}
        />
      </Group>
      {view === 'chart' ? (
        <DayChart {...chart} />
      ) : (
        <ChartTable
          label={title}
          days={chart.days}
          series={[...chart.series, ...(chart.limits ?? [])]}
          axis={chart.axis}
        />
      )}
      {note !== undefined && view === 'chart' && (
        <Text size="xs" c="dimmed" mt="xs">
          {note}
        </Text>
      )}
      <Group justify="space-between" mt="sm" gap="xs">
        <ul className={styles.legend}>
          {[...chart.series, ...(chart.limits ?? [])].map(({ key, label, color }) => (
            <li key={key}>
              <span className={styles.swatch} style={{ background: cssColor(color) }} aria-hidden />
              {label}
            </li>
          ))}
          {chart.mark && (
            <li>
              <span className={styles.marked} aria-hidden />
              {chart.mark.label}
            </li>
          )}
        </ul>
        {link && (
          <Anchor component={Link} href={link.href} size="sm">
            {link.label}
          </Anchor>
        )}
      </Group>
    </Paper>
  );
}

interface ChartTableProps {
  readonly label: string;
  readonly days: readonly string[];
  readonly series: readonly LimitSeries[];
  readonly axis: Axis | undefined;
}

/** The numbers of a chart, newest first. */
function ChartTable({ label, days, series, axis = dayAxis }: ChartTableProps) {
  return (
    <ScrollRegion label={copy.chart.numbers(label)} maxHeight={260}>
      <Table stickyHeader verticalSpacing={4} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{axis.name}</Table.Th>
            {series.map(({ key, label: heading }) => (
              <Table.Th key={key} ta="right">
                {heading}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days
            .map((day, index) => (
              <Table.Tr key={day}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{axis.title(day)}</Table.Td>
                {series.map(({ key, values }) => (
                  <Table.Td key={key} ta="right">
                    {tableNumber(values[index])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))
            .reverse()}
        </Table.Tbody>
      </Table>
    </ScrollRegion>
  );
}

/** A day without a limit has no number. */
function tableNumber(value: number | null = 0): string {
  return value === null ? commonCopy.none : formatNumber(value);
}
