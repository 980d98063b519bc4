import { Anchor, Text, Title } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { Link } from 'wouter';
import { FieldChanges } from '../../components/field-changes.js';
import { type Column, ListTable } from '../../components/list-table.js';
import { useEndless } from '../../components/use-paged-list.js';
import { texts } from '../../copy/index.js';
import { rollcall } from '../../session/api.js';
import { useMay } from '../../session/session.js';

type Call = Schemas['Call'];
type Change = Schemas['Change'];

const words = texts.activity.call;

const columns: readonly Column<Change>[] = [
  {
    header: words.person,
    cell: ({ userSerial, employeeID, kind }) =>
      kind === 'deleted' ? (
        employeeID
      ) : (
        <Anchor component={Link} href={`/people/${userSerial}`} size="sm">
          {employeeID}
        </Anchor>
      ),
  },
  { header: words.changeKind, cell: ({ kind }) => words.changeKinds[kind] },
  { header: words.fields, cell: ({ fields, kind }) => <FieldChanges fields={fields} kind={kind} /> },
];

export function CallChanges({ call }: { call: Call }) {
  const maySee = useMay('audit:read');
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {words.changesTitle}
      </Title>
      {maySee ? (
        <ChangesTable call={call} />
      ) : (
        <Text size="sm" c="dimmed">
          {words.changesNotAllowed}
        </Text>
      )}
    </section>
  );
}

function ChangesTable({ call: { id: callId, changes } }: { call: Call }) {
  const list = useEndless<Change>({
    key: ['activity', 'changes', callId, changes],
    load: async (page, signal) =>
      (await rollcall.call('listChanges', { query: { callId, ...page }, signal })).body.data,
  });
  return (
    <ListTable
      label={words.changesTable}
      columns={columns}
      list={list}
      keyOf={({ sequence }) => sequence}
      minWidth={480}
      empty={<Text size="sm">{words.noChanges}</Text>}
    />
  );
}
