import { Stack, Table, Text, Title } from '@mantine/core';
import { errorFrom } from '@rollcall/client';
import type { ReactNode } from 'react';
import { errorMessage } from '../components/error-message.js';
import { FieldChanges } from '../components/field-changes.js';
import { ScrollRegion } from '../components/scroll-region.js';
import { commonCopy } from '../copy/common.js';
import { undoCopy } from '../copy/undo.js';
import { employeeIDOf, type UndoReport } from './undo-report.js';

/** Enough to see whether it is the right call; its page lists all changes. */
const shownMax = 100;

/** Users that cannot be restored come first, because they may need attention. */
export function UndoReportTables({ report: { successItems, failedItems } }: { report: UndoReport }) {
  return (
    <Stack>
      <ReportTable
        title={undoCopy.skippedTitle}
        label={undoCopy.skippedTable}
        headers={[commonCopy.fields.employeeID, undoCopy.reason]}
        rows={failedItems
          .slice(0, shownMax)
          .map((item) => [employeeIDOf(item), errorMessage(errorFrom(item.error), item.error.detail)])}
        count={failedItems.length}
      />
      <ReportTable
        title={undoCopy.changesTitle}
        label={undoCopy.changesTable}
        headers={[commonCopy.fields.employeeID, undoCopy.change, undoCopy.fields]}
        rows={successItems
          .slice(0, shownMax)
          .map(({ payload, effect }) => [
            employeeIDOf({ payload }),
            effect ? commonCopy.changeKinds[effect.kind] : '',
            effect && <FieldChanges key="fields" fields={effect.fields} kind={effect.kind} />,
          ])}
        count={successItems.length}
      />
    </Stack>
  );
}

interface ReportTableProps {
  readonly title: string;
  readonly label: string;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
  readonly count: number;
}

function ReportTable({ title, label, headers, rows, count }: ReportTableProps) {
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
            {rows.map((cells, row) => (
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
      {count > rows.length && (
        <Text size="xs" c="dimmed" mt={4}>
          {undoCopy.firstOf(rows.length, count)}
        </Text>
      )}
    </section>
  );
}
