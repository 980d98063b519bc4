import { Stack, Table, Text, Title } from '@mantine/core';
import { errorFrom } from '@rollcall/client';
import type { ReactNode } from 'react';
import { errorMessage } from '../components/error-message.js';
import { FieldChanges } from '../components/field-changes.js';
import { ScrollRegion } from '../components/scroll-region.js';
import { activityCopy } from '../copy/activity.js';
import { formatNumber } from '../copy/format.js';
import type { UndoReport } from './undo-calls.js';

const copy = activityCopy.undo;
const callWords = activityCopy.call;
/** Enough to see whether it is what was meant; the page of the call has them all. */
const shownMax = 100;

/** Those who stay as they are come first: they are what somebody has to look at. */
export function UndoReportTables({ report }: { report: UndoReport }) {
  return (
    <Stack>
      <ReportTable
        title={copy.stayTitle}
        label={copy.stayTable}
        headers={[callWords.person, copy.reason]}
        rows={report.failedItems.map(({ payload, error }) => [
          employeeIDOf(payload),
          errorMessage(errorFrom(error), error.detail),
        ])}
      />
      <ReportTable
        title={copy.putBackTitle}
        label={copy.putBackTable}
        headers={[callWords.person, callWords.changeKind, callWords.fields]}
        rows={report.successItems
          .slice(0, shownMax)
          .map(({ payload, effect }) => [
            employeeIDOf(payload),
            effect ? callWords.changeKinds[effect.kind] : '',
            effect && <FieldChanges key="fields" fields={effect.fields} kind={effect.kind} />,
          ])}
        count={report.successItems.length}
      />
    </Stack>
  );
}

interface ReportTableProps {
  readonly title: string;
  readonly label: string;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
  readonly count?: number;
}

function ReportTable({ title, label, headers, rows, count = rows.length }: ReportTableProps) {
  if (count === 0) return null;
  return (
    <section>
      <Title order={3} size="h5">
        {title}
      </Title>
      <ScrollRegion label={label} maxHeight={280}>
        <Table miw={420} verticalSpacing={4} aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {headers.map((header) => (
                <Table.Th key={header}>{header}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, shownMax).map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a report does not change
              <Table.Tr key={row}>
                {cells.map((cell, column) => (
                  <Table.Td key={headers[column]}>{cell}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
      {count > shownMax && (
        <Text size="xs" c="dimmed" mt={4}>
          {copy.firstOf(formatNumber(shownMax), formatNumber(count))}
        </Text>
      )}
    </section>
  );
}

function employeeIDOf(payload: Readonly<Record<string, unknown>>): string {
  return String(payload.employeeID ?? '');
}
