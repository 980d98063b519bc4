import { Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { commonCopy } from '../copy/copy.js';
import { formatList } from '../copy/format.js';
import { groupChanges } from './changed-fields.js';
import { FieldChanges } from './field-changes.js';
import { ReportTable, reportRowsMax } from './report-table.js';
import type { UserNames } from './reported-user.js';
import { UserCell, useUserNames } from './user-cell.js';

type UserChange = Schemas['Effect'] & { readonly employeeID: string; readonly serial: string };

interface ChangesTableProps {
  readonly title: string;
  readonly label: string;
  /** Above what changes. */
  readonly heading: string;
  readonly changes: readonly UserChange[];
}

/** What changes, and for whom: once for all users to whom the same happens. */
export function ChangesTable({ title, label, heading, changes }: ChangesTableProps) {
  const groups = groupChanges(changes);
  const shown = groups.slice(0, reportRowsMax);
  const namedMax = Math.max(1, Math.floor(reportRowsMax / shown.length));
  const nameOf = useUserNames(shown.flatMap((group) => group.slice(0, namedMax)));
  return (
    <ReportTable
      title={title}
      label={label}
      headers={[commonCopy.users, heading]}
      rows={shown.map((group) => {
        const [first] = group;
        return [
          group.length === 1 ? (
            <UserCell key="users" employeeID={first.employeeID} name={nameOf(first)} />
          ) : (
            <Together key="users" group={group} namedMax={namedMax} nameOf={nameOf} />
          ),
          <div key="changes" style={{ minWidth: 'min(200px, 40vw)' }}>
            {first.kind !== 'updated' && commonCopy.changeKinds[first.kind]}
            <FieldChanges fields={first.fields} kind={first.kind} />
          </div>,
        ];
      })}
      count={groups.length}
    />
  );
}

interface TogetherProps {
  readonly group: readonly UserChange[];
  readonly namedMax: number;
  readonly nameOf: UserNames;
}

function Together({ group, namedMax, nameOf }: TogetherProps) {
  const named = group.slice(0, namedMax).map((user) => nameOf(user) ?? user.employeeID);
  const others = group.length - named.length;
  return (
    <>
      {commonCopy.countUsers(group.length)}
      <Text size="xs" c="dimmed">
        {formatList(others === 0 ? named : [...named, commonCopy.others(others)])}
      </Text>
    </>
  );
}
