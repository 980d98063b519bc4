import { Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { commonCopy } from '../copy/copy.js';
import { ScrollRegion } from './scroll-region.js';

/** Enough to see whether it is the right call; its page lists all changes. */
export const reportRowsMax = 100;

interface ReportTableProps {
  readonly title: string;
  readonly label: string;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
  readonly count: number;
}

/** The first rows of a report. */
export function ReportTable({ title, label, headers, rows, count }: ReportTableProps) {
  if (count === 0) return null;
  return (
    <section>
      <Title order={3} size="h5">
        {title}
      </Title>
      <ScrollRegion label={label} maxHeight={280}>
        <Table miw={{ base: 0, xs: 420 }} verticalSpacing={4} aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {headers.map((header) => (
                <Table.Th key={header} style={{ whiteSpace: 'nowrap' }}>
                  {header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a report does not change
              <Table.Tr key={row}>
                {cells.map((cell, column) => (
                  <Table.Td key={headers[column]} style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
                    {cell}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
      {count > rows.length && (
        <Text size="xs" c="dimmed" mt={4}>
          {commonCopy.firstOf(rows.length, count)}
        </Text>
      )}
    </section>
  );
}
