import { Anchor, Group, Paper, SegmentedControl, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { homeCopy as copy } from '../copy/copy.js';
import styles from './chart.module.css';
import { ChartTable } from './chart-table.js';
import { DayChart } from './day-chart.js';
import { cssColor, type Series } from './series.js';

interface ChartCardProps {
  readonly title: string;
  readonly summary: string;
  /** How to read it. */
  readonly note?: string;
  readonly shape: 'area' | 'bars';
  readonly days: readonly string[];
  readonly series: readonly Series[];
  /** The list behind the numbers. */
  readonly link?: { readonly href: string; readonly label: string } | undefined;
  readonly onOpenDay?: ((day: string) => void) | undefined;
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
        <ChartTable label={title} days={chart.days} series={chart.series} />
      )}
      {note !== undefined && view === 'chart' && (
        <Text size="xs" c="dimmed" mt="xs">
          {note}
        </Text>
      )}
      <Group justify="space-between" mt="sm" gap="xs">
        <ul className={styles.legend}>
          {chart.series.map(({ key, label, color }) => (
            <li key={key}>
              <span className={styles.swatch} style={{ background: cssColor(color) }} aria-hidden />
              {label}
            </li>
          ))}
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
