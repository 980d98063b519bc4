import { Text, Title } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { FieldChanges } from '../../components/field-changes.js';
import { type Column, ListTable } from '../../components/list-table.js';
import type { UserNames } from '../../components/reported-user.js';
import { usePagedList } from '../../components/use-paged-list.js';
import { UserCell } from '../../components/user-cell.js';
import { useUserNames } from '../../components/user-names.js';
import { activityCopy, commonCopy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';
import { usePermission } from '../../session/session.js';

type Call = Schemas['Call'];
type Change = Schemas['Change'];

const copy = activityCopy.call;

const userOf = ({ userSerial: serial, employeeID, fields }: Change) => ({ serial, employeeID, fields });

const columnsWith = (nameOf: UserNames): readonly Column<Change>[] => [
  {
    header: commonCopy.user,
    cell: (change) => (
      <UserCell
        employeeID={change.employeeID}
        name={nameOf(userOf(change))}
        href={change.kind === 'deleted' ? undefined : `/users/${change.userSerial}`}
      />
    ),
  },
  { header: copy.change, cell: ({ kind }) => commonCopy.changeKinds[kind] },
  { header: copy.fields, cell: ({ fields, kind }) => <FieldChanges fields={fields} kind={kind} /> },
];

export function CallChanges({ call }: { call: Call }) {
  const maySee = usePermission('audit:read');
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {copy.changesTitle}
      </Title>
      {maySee ? (
        <ChangesTable call={call} />
      ) : (
        <Text size="sm" c="dimmed">
          {copy.changesNotAllowed}
        </Text>
      )}
    </section>
  );
}

function ChangesTable({ call: { id: callId, changes } }: { call: Call }) {
  const list = usePagedList<Change>({
    key: ['activity', 'changes', callId, changes],
    load: async (page, signal) =>
      (await rollcall.call('listChanges', { query: { callId, ...page }, signal })).body.data,
  });
  const nameOf = useUserNames(list.items.map(userOf));
  return (
    <ListTable
      label={copy.changesTable}
      columns={columnsWith(nameOf)}
      list={list}
      keyOf={({ sequence }) => sequence}
      minWidth={480}
      empty={<Text size="sm">{copy.noChanges}</Text>}
    />
  );
}
