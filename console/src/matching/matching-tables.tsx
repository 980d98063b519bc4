import { Stack } from '@mantine/core';
import { errorFrom } from '@rollcall/client';
import { errorMessage } from '../components/error-message.js';
import { FieldChanges } from '../components/field-changes.js';
import { ReportTable, reportRowsMax } from '../components/report-table.js';
import { commonCopy } from '../copy/common.js';
import { matchingCopy as copy } from '../copy/matching.js';
import type { MatchingReport } from './matching-call.js';

interface MatchingTablesProps {
  readonly report: MatchingReport;
  readonly step: 'preview' | 'done';
}

/** Failures come first, because they may need attention. */
export function MatchingTables({ report: { successItems, failedItems }, step }: MatchingTablesProps) {
  const changed = successItems.flatMap(({ payload, effect }) =>
    effect && effect.kind !== 'unchanged' ? [{ employeeID: payload.employeeID ?? '', effect }] : [],
  );
  return (
    <Stack>
      <ReportTable
        title={copy.failuresTitle[step]}
        label={copy.failuresTable}
        headers={[commonCopy.fields.employeeID, copy.reason]}
        rows={failedItems
          .slice(0, reportRowsMax)
          .map(({ payload, error }) => [
            payload.employeeID ?? '',
            errorMessage(errorFrom(error), error.reason ?? error.detail),
          ])}
        count={failedItems.length}
      />
      <ReportTable
        title={copy.changesTitle}
        label={copy.changesTable}
        headers={[commonCopy.fields.employeeID, copy.fields]}
        rows={changed
          .slice(0, reportRowsMax)
          .map(({ employeeID, effect }) => [
            employeeID,
            <FieldChanges key="fields" fields={effect.fields} kind={effect.kind} />,
          ])}
        count={changed.length}
      />
    </Stack>
  );
}
