import { Anchor, Box, Button, Group, Select, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { importNoteText } from '@rollcall/sheets';
import { Link } from 'wouter';
import { Actor } from '../components/actor.js';
import { useEntryNames } from '../components/call-names.js';
import { CallResult, CallStateBadge } from '../components/call-state.js';
import { callTitle, noApprovals, plannedTimeText, plannedTitle } from '../components/calls.js';
import { parseChoice, selectOptions } from '../components/choices.js';
import { dayRange } from '../components/day-range.js';
import { EmptyState, NoMatches } from '../components/empty-state.js';
import { useFilters } from '../components/filters.js';
import { Notice } from '../components/notice.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { useApprovals } from '../components/use-approvals.js';
import { useIsPhone } from '../components/use-is-phone.js';
import { useTargetNames } from '../components/use-target-names.js';
import { activityCopy, callLabelCopy, commonCopy, plannedCopy } from '../copy/copy.js';
import { formatDateTime } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import { ActivityFilterRow } from './activity-filters.js';
import { isWaiting } from './call.js';
import { isFiltered, noFilters, readActivityFilters } from './story.js';

type Call = Schemas['Call'];

const copy = activityCopy.calls;
const runningRefetchMs = 3_000;
const noOthers = { type: null, state: null };

/** What matters most comes first, because small screens show only the beginning of a row. */
const columns: readonly Column<Call>[] = [
  { header: activityCopy.call.loading, cell: (call) => <What call={call} /> },
  { header: copy.stateColumn, cell: (call) => <State call={call} /> },
  { header: copy.result, cell: (call) => <CallResult call={call} /> },
  { header: copy.who, cell: ({ actor, plan }) => <Actor actor={plan?.author ?? actor} /> },
  { header: copy.undo, cell: (call) => <UndoLinks call={call} /> },
];

/** Two columns are all that fits on a phone. */
const phoneColumns: readonly Column<Call>[] = [
  {
    header: activityCopy.call.loading,
    cell: (call) => (
      <>
        <What call={call} />
        <Text size="xs" component="div">
          <Actor actor={call.plan?.author ?? call.actor} />
        </Text>
      </>
    ),
  },
  {
    header: copy.result,
    cell: (call) => (
      <>
        <State call={call} />
        <Text size="xs" component="div">
          <CallResult call={call} />
        </Text>
        {(call.undoneBy ?? call.undoes) !== null && <UndoLinks call={call} />}
      </>
    ),
  },
];

export function CallsPage() {
  const isPhone = useIsPhone();
  const { get, set } = useFilters();
  const filters = readActivityFilters(get);
  const { actorId, from, until } = filters;
  const kind = parseChoice(copy.kind, get('type') ?? get('kind'));
  const state = parseChoice(copy.state, get('state'));
  const list = usePagedList<Call>({
    key: ['activity', 'calls', { kind, state, actorId, from, until }],
    load: async (page, signal) =>
      (
        await rollcall.call('listCalls', {
          query: { kind, state, actorId, ...dayRange(from, until), ...page },
          signal,
        })
      ).body.data,
    refetchMs: (calls) => calls.some((call) => call.state === 'running') && runningRefetchMs,
  });
  return (
    <>
      <Text c="dimmed" mb="sm">
        {copy.lead}
      </Text>
      {state !== 'awaitingApproval' && (
        <ApprovalsWaiting onView={() => set({ ...noFilters, type: null, state: 'awaitingApproval' })} />
      )}
      <ActivityFilterRow
        filters={filters}
        set={set}
        noOthers={noOthers}
        hasOthers={(kind ?? state) !== undefined}
      >
        <Select
          label={copy.filterKind}
          placeholder={activityCopy.list.any}
          data={selectOptions(copy.kind)}
          value={kind ?? null}
          onChange={(value) => set({ type: value })}
          clearable
          w={170}
        />
        <Select
          label={copy.filterState}
          placeholder={activityCopy.list.any}
          data={selectOptions(copy.state)}
          value={state ?? null}
          onChange={(value) => set({ state: value })}
          clearable
          w={170}
        />
      </ActivityFilterRow>
      <ListTable
        label={copy.table}
        columns={isPhone ? phoneColumns : columns}
        list={list}
        keyOf={({ id }) => id}
        minWidth={isPhone ? 0 : 640}
        empty={
          kind || state || isFiltered(filters) ? (
            <NoMatches onClear={() => set({ ...noFilters, ...noOthers })} />
          ) : (
            <EmptyState title={copy.empty} hint={copy.emptyHint} />
          )
        }
      />
    </>
  );
}

/** With where its items come from, and what it is for. */
function What({ call }: { call: Call }) {
  const { id, source, startedAt } = call;
  const note = call.note && importNoteText(call.note, callLabelCopy.leftOut);
  const done = callTitle(call, undefined, useEntryNames([call]), useTargetNames(call.patch));
  const name = plannedTitle(call) ?? done;
  return (
    <Box miw="8.5rem" maw="24rem" style={{ overflowWrap: 'anywhere' }}>
      <Anchor component={Link} href={`/activity/calls/${id}`} size="sm" fw={600}>
        {name}
      </Anchor>
      {source !== null && !name.includes(source) && <Text size="xs">{source}</Text>}
      {note !== null && note !== name && (
        <Text size="xs" lineClamp={2} title={note}>
          {note}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {formatDateTime(startedAt)}
      </Text>
    </Box>
  );
}

/** With when it runs, or what it waits for. */
function State({ call }: { call: Call }) {
  const { state, plan } = call;
  const time = plan ? plannedTimeText(plan) : undefined;
  return (
    <>
      <CallStateBadge state={state} isRejected={plan?.isRejected} />
      {isWaiting(call) && time !== undefined && (
        <Text size="xs" c="dimmed">
          {time}
        </Text>
      )}
      {isWaiting(call) && plan?.needsTakeover && (
        <Text size="xs" fw={700}>
          {plannedCopy.needsTakeover}
        </Text>
      )}
    </>
  );
}

function UndoLinks({ call: { undoes, undoneBy } }: { call: Call }) {
  if (undoneBy !== null) return <CallLink id={undoneBy} label={copy.undoneBy} />;
  return undoes === null ? commonCopy.none : <CallLink id={undoes} label={copy.undoes} />;
}

function CallLink({ id, label }: { id: string; label: string }) {
  return (
    <Anchor component={Link} href={`/activity/calls/${id}`} size="sm">
      {label}
    </Anchor>
  );
}

/** How many calls await approval, and by whom, if any. */
function ApprovalsWaiting({ onView }: { onView: () => void }) {
  const approvals = useApprovals() ?? noApprovals;
  const toDecide = approvals.toDecide.length;
  const ofOthers = approvals.ofOthers.length;
  if (toDecide + ofOthers === 0) return null;
  return (
    <div style={{ marginBottom: 'var(--mantine-spacing-md)' }}>
      <Notice color="yellow" role="status">
        <Group justify="space-between">
          <div>
            {toDecide > 0 && (
              <Text size="sm" fw={600}>
                {plannedCopy.toDecide(toDecide)}
              </Text>
            )}
            {ofOthers > 0 && <Text size="sm">{plannedCopy.ofOthers(ofOthers)}</Text>}
          </div>
          <Button size="xs" variant="default" onClick={onView}>
            {plannedCopy.view}
          </Button>
        </Group>
      </Notice>
    </div>
  );
}
