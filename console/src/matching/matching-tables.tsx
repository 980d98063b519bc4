import { List, Stack, Text } from '@mantine/core';
import { errorFrom } from '@rollcall/client';
import { ChangesTable } from '../components/changes-table.js';
import { errorMessage } from '../components/error-message.js';
import { ReportTable, reportRowsMax } from '../components/report-table.js';
import { UserCell, useUserNames } from '../components/user-cell.js';
import { commonCopy, matchingCopy as copy } from '../copy/copy.js';
import type { MatchingReport } from './matching-call.js';

interface MatchingTablesProps {
  readonly report: MatchingReport;
  readonly step: 'preview' | 'done';
}

/** Failures come first, because they may need attention. */
export function MatchingTables({ report: { successItems, failedItems }, step }: MatchingTablesProps) {
  const failed = failedItems
    .slice(0, reportRowsMax)
    .map(({ payload, error }) => ({ employeeID: payload.employeeID ?? '', error }));
  const changes = successItems.flatMap(({ payload, response, effect }) =>
    effect && effect.kind !== 'unchanged'
      ? [{ ...effect, employeeID: payload.employeeID ?? '', serial: response.serial }]
      : [],
  );
  const nameOf = useUserNames(failed);
  return (
    <Stack>
      <ReportTable
        title={copy.failuresTitle[step]}
        label={copy.failuresTable}
        headers={[commonCopy.user, copy.reason]}
        rows={failed.map((user) => [
          <UserCell key="user" employeeID={user.employeeID} name={nameOf(user)} />,
          errorMessage(errorFrom(user.error)),
        ])}
        count={failedItems.length}
      />
      <ChangesTable
        title={copy.changesTitle}
        label={copy.changesTable}
        heading={copy.fields}
        changes={changes}
      />
    </Stack>
  );
}

/** The filters that select the users, in words. */
export function FilterList({ filters }: { filters: readonly string[] }) {
  return (
    <div>
      <Text size="sm">{copy.filters(filters.length)}</Text>
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {filters.map((filter) => (
          <List.Item key={filter}>{filter}</List.Item>
        ))}
      </List>
    </div>
  );
}
