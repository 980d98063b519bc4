import { Table } from '@mantine/core';
import { ScrollRegion } from '../components/scroll-region.js';
import { homeCopy } from '../copy/copy.js';
import { formatDay, formatNumber } from '../copy/format.js';
import type { Series } from './series.js';

interface ChartTableProps {
  readonly label: string;
  readonly days: readonly string[];
  readonly series: readonly Series[];
}

/** The numbers of a chart, newest first. */
export function ChartTable({ label, days, series }: ChartTableProps) {
  return (
    <ScrollRegion label={homeCopy.chart.numbers(label)} maxHeight={260}>
      <Table stickyHeader verticalSpacing={4} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{homeCopy.chart.day}</Table.Th>
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
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDay(day)}</Table.Td>
                {series.map(({ key, values }) => (
                  <Table.Td key={key} ta="right">
                    {formatNumber(values[index] ?? 0)}
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
