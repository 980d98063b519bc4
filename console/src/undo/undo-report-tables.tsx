import { Stack } from '@mantine/core';
import { errorFrom } from '@rollcall/client';
import { errorMessage } from '../components/error-message.js';
import { FieldChanges } from '../components/field-changes.js';
import { ReportTable, reportRowsMax } from '../components/report-table.js';
import { UserCell, useUserNames } from '../components/user-cell.js';
import { commonCopy, undoCopy } from '../copy/copy.js';
import { employeeIDOf, type UndoReport } from './undo-report.js';

/** Users that cannot be restored come first, because they may need attention. */
export function UndoReportTables({ report: { successItems, failedItems } }: { report: UndoReport }) {
  const skipped = failedItems
    .slice(0, reportRowsMax)
    .map((item) => ({ employeeID: employeeIDOf(item), error: item.error }));
  const restored = successItems
    .slice(0, reportRowsMax)
    .map((item) => ({ ...item.effect, employeeID: employeeIDOf(item), serial: item.response.serial }));
  const nameOf = useUserNames([...skipped, ...restored]);
  return (
    <Stack>
      <ReportTable
        title={undoCopy.skippedTitle}
        label={undoCopy.skippedTable}
        headers={[commonCopy.user, undoCopy.reason]}
        rows={skipped.map((user) => [
          <UserCell key="user" employeeID={user.employeeID} name={nameOf(user)} />,
          errorMessage(errorFrom(user.error)),
        ])}
        count={failedItems.length}
      />
      <ReportTable
        title={undoCopy.changesTitle}
        label={undoCopy.changesTable}
        headers={[commonCopy.user, undoCopy.change, undoCopy.fields]}
        rows={restored.map((user) => [
          <UserCell key="user" employeeID={user.employeeID} name={nameOf(user)} />,
          commonCopy.changeKinds[user.kind],
          <FieldChanges key="fields" fields={user.fields} kind={user.kind} />,
        ])}
        count={successItems.length}
      />
    </Stack>
  );
}
