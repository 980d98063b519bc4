import { Anchor, Group, Select, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { Link } from 'wouter';
import { Who } from '../../components/actor.js';
import { choiceOf, optionsOf } from '../../components/choices.js';
import { EmptyState } from '../../components/empty-state.js';
import { type Column, ListTable } from '../../components/list-table.js';
import { NothingMatches } from '../../components/no-matches.js';
import { useFilters } from '../../components/use-filters.js';
import { useEndless } from '../../components/use-paged-list.js';
import { number, when } from '../../copy/format.js';
import { texts } from '../../copy/index.js';
import { rollcall } from '../../session/api.js';
import { CallStateBadge } from './call-state.js';

type Call = Schemas['Call'];

const words = texts.activity.calls;
const runningLookMs = 3_000;

const columns: readonly Column<Call>[] = [
  {
    header: words.started,
    isShort: true,
    cell: ({ id, startedAt }) => (
      <Anchor component={Link} href={`/activity/calls/${id}`} size="sm">
        {when(startedAt)}
      </Anchor>
    ),
  },
  { header: words.what, cell: ({ kind }) => words.kind[kind] },
  { header: words.who, cell: ({ actor }) => <Who actor={actor} /> },
  { header: words.stateColumn, cell: ({ state }) => <CallStateBadge state={state} /> },
  { header: words.items, isNumber: true, cell: ({ items }) => number(items) },
  { header: words.succeeded, isNumber: true, cell: ({ succeeded }) => number(succeeded) },
  { header: words.failed, isNumber: true, cell: ({ failed }) => <Failed count={failed} /> },
  { header: words.changes, isNumber: true, cell: ({ changes }) => number(changes) },
  { header: words.undo, cell: (call) => <UndoLinks call={call} /> },
];

export function CallsPage() {
  const { get, set } = useFilters();
  const kind = choiceOf(words.kind, get('kind'));
  const state = choiceOf(words.state, get('state'));
  const list = useEndless<Call>({
    key: ['activity', 'calls', { kind, state }],
    load: async (page, signal) =>
      (await rollcall.call('listCalls', { query: { kind, state, ...page }, signal })).body.data,
    refetchMs: (calls) => calls.some((call) => call.state === 'running') && runningLookMs,
  });
  return (
    <>
      <Text c="dimmed" mb="sm">
        {words.lead}
      </Text>
      <Group mb="md" align="flex-end">
        <Select
          label={words.filterKind}
          placeholder={texts.activity.list.any}
          data={optionsOf(words.kind)}
          value={kind ?? null}
          onChange={(value) => set({ kind: value })}
          clearable
          w={170}
        />
        <Select
          label={words.filterState}
          placeholder={texts.activity.list.any}
          data={optionsOf(words.state)}
          value={state ?? null}
          onChange={(value) => set({ state: value })}
          clearable
          w={170}
        />
      </Group>
      <ListTable
        label={words.table}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        minWidth={900}
        empty={
          kind || state ? (
            <NothingMatches onClear={() => set({ kind: null, state: null })} />
          ) : (
            <EmptyState title={words.empty} hint={words.emptyHint} />
          )
        }
      />
    </>
  );
}

function Failed({ count }: { count: number }) {
  return count === 0 ? (
    number(count)
  ) : (
    <Text span size="sm" fw={700}>
      {number(count)}
    </Text>
  );
}

function UndoLinks({ call: { undoes, undoneBy } }: { call: Call }) {
  if (undoneBy !== null) return <CallLink id={undoneBy} label={words.undoneBy} />;
  return undoes === null ? texts.common.none : <CallLink id={undoes} label={words.undoes} />;
}

function CallLink({ id, label }: { id: string; label: string }) {
  return (
    <Anchor component={Link} href={`/activity/calls/${id}`} size="sm">
      {label}
    </Anchor>
  );
}
