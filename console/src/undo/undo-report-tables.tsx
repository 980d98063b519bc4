import { Stack } from '@mantine/core';
import { errorFrom } from '@rollcall/client';
import { errorMessage } from '../components/error-message.js';
import { FieldChanges } from '../components/field-changes.js';
import { ReportTable, reportRowsMax } from '../components/report-table.js';
import { commonCopy } from '../copy/common.js';
import { undoCopy } from '../copy/undo.js';
import { employeeIDOf, type UndoReport } from './undo-report.js';

/** Users that cannot be restored come first, because they may need attention. */
export function UndoReportTables({ report: { successItems, failedItems } }: { report: UndoReport }) {
  return (
    <Stack>
      <ReportTable
        title={undoCopy.skippedTitle}
        label={undoCopy.skippedTable}
        headers={[commonCopy.fields.employeeID, undoCopy.reason]}
        rows={failedItems
          .slice(0, reportRowsMax)
          .map((item) => [employeeIDOf(item), errorMessage(errorFrom(item.error), item.error.detail)])}
        count={failedItems.length}
      />
      <ReportTable
        title={undoCopy.changesTitle}
        label={undoCopy.changesTable}
        headers={[commonCopy.fields.employeeID, undoCopy.change, undoCopy.fields]}
        rows={successItems
          .slice(0, reportRowsMax)
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
