import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useUndoableCalls } from '../../components/calls-of-import.js';
import { EmptyState } from '../../components/empty-state.js';
import { Notice } from '../../components/notice.js';
import { employeeIDOf } from '../../components/undo-calls.js';
import { UndoDialog } from '../../components/undo-dialog.js';
import { formatDay } from '../../copy/format.js';
import { feedFormCopy, importCopy, importReviewCopy } from '../../copy/on-demand-copy.js';
import { rollcall } from '../../session/api.js';
import { useCurrentUser, usePermission } from '../../session/session.js';
import { startCheck } from '../check/run-check.js';
import { Counters, useShown } from '../components/counters.js';
import { DownloadInvalid } from '../components/download-invalid.js';
import { SaveAsFeed } from '../components/save-as-feed.js';
import { StepHeading, type StepProps } from '../components/step-heading.js';
import { dependencies } from '../state/dependencies.js';
import { type CompletedCall, callsToUndo } from '../state/state.js';
import { useImportState, useImportStore } from '../state/store.js';
import type { Timing } from '../state/timing.js';
import { countResults, type ResultCounts, resultOf, resultRows, results } from '../state/verdicts.js';
import { ResultSummary } from './result-summary.js';
import { ResultTable } from './result-table.js';

const copy = importCopy.result;
const filters = ['all', ...results] as const;

export function ResultStep({ goTo }: StepProps) {
  const { rows } = useImportState();
  useUndoneElsewhere();
  const counts = useMemo(() => rows && countResults(rows), [rows]);
  const filter = useShown(filters, counts && counts.invalid > 0 ? 'invalid' : 'all');
  const visible = useMemo(() => {
    const all = rows ? resultRows(rows) : [];
    return rows && filter !== 'all' ? all.filter((row) => resultOf(rows, row) === filter) : all;
  }, [rows, filter]);
  if (!rows || !counts) return null;
  return (
    <Stack>
      <StepHeading>{copy.heading}</StepHeading>
      <ResultSummary isComplete={counts.done + counts.unchanged === counts.all} />
      <PlannedNotice />
      {counts.unknown > 0 && <Notice color="orange">{copy.unknownHint(counts.unknown)}</Notice>}
      <Actions counts={counts} goTo={goTo} />
      {counts.invalid > 0 && (
        <Text size="sm" c="dimmed">
          {importCopy.invalid.hint}
        </Text>
      )}
      <CallList />
      <Counters
        label={copy.filter}
        counters={filters.map((name) => ({
          name,
          label: copy.counts[name],
          value: counts[name],
          color: name === 'invalid' ? 'var(--import-red)' : undefined,
        }))}
        value={filter}
      />
      {visible.length === 0 ? (
        <EmptyState title={copy.nothing} />
      ) : (
        <ResultTable key={filter} visible={visible} />
      )}
    </Stack>
  );
}

interface ActionsProps extends StepProps {
  readonly counts: ResultCounts;
}

function Actions({ counts, goTo }: ActionsProps) {
  const store = useImportStore();
  const checkAgain = () => {
    void startCheck(store, dependencies);
    goTo('check');
  };
  const left = counts.notSent + counts.unknown;
  return (
    <Group>
      {counts.invalid > 0 && <Button onClick={checkAgain}>{copy.fix(counts.invalid)}</Button>}
      <DownloadInvalid />
      {counts.invalid === 0 && left > 0 && <Button onClick={checkAgain}>{copy.runRest(left)}</Button>}
      {counts.invalid + left === 0 && counts.undone > 0 && (
        <Button onClick={checkAgain}>{copy.runAgain}</Button>
      )}
      <UndoRun />
      <SaveAsFeed label={feedFormCopy.fromImport.saveNightly} />
      <Button variant="default" onClick={() => goTo('file')}>
        {importCopy.startOver}
      </Button>
    </Group>
  );
}

/** Says that calls were not run, what they wait for, and where to find them. */
function PlannedNotice() {
  const { calls } = useImportState();
  return calls
    .filter(({ planned }) => planned > 0)
    .map(({ id, planned, timing }) => (
      <Notice key={id} color="yellow" role="status" title={titleOf(timing)}>
        <Text size="sm">{copy.plannedHint[timing.kind](planned)}</Text>
        <Anchor component={Link} href={`/activity/calls/${id}`} size="sm" underline="always" c="inherit">
          {copy.plannedView}
        </Anchor>
      </Notice>
    ));
}

function titleOf({ kind, day }: Timing): string {
  if (kind === 'approval' && day !== '') return copy.plannedTitle.approvalFrom(formatDay(day));
  return kind === 'date' ? copy.plannedTitle.date(formatDay(day)) : copy.plannedTitle[kind];
}

const callsShown = 20;

function CallList() {
  const { calls } = useImportState();
  const { scopes } = useCurrentUser();
  const maySeeActivity = scopes.includes('users:read');
  if (calls.length === 0) return null;
  return (
    <div>
      {calls.length > 1 && <Text size="sm">{importReviewCopy.result.parts(calls.length)}</Text>}
      <List
        size="sm"
        spacing="xs"
        aria-label={copy.calls}
        {...(calls.length === 1 && { listStyleType: 'none' })}
      >
        {calls.slice(0, callsShown).map((call, index) => (
          <List.Item key={call.id}>
            <Group gap="sm">
              <Text size="sm">{textOf(call, calls.length === 1 ? undefined : index + 1)}</Text>
              {maySeeActivity && (
                <Anchor component={Link} href={`/activity/calls/${call.id}`} size="sm" underline="always">
                  {copy.inActivity}
                </Anchor>
              )}
            </Group>
          </List.Item>
        ))}
      </List>
    </div>
  );
}

/** Only an import of several calls has parts. */
function textOf({ succeeded, failed, planned, undoneBy }: CompletedCall, part: number | undefined): string {
  const text = planned > 0 ? ofPlanned(planned, failed, part) : ofDone(succeeded, failed, part);
  return undoneBy === undefined ? text : copy.undone(text);
}

function ofPlanned(planned: number, failed: number, part: number | undefined): string {
  return part === undefined
    ? importReviewCopy.result.plannedCall(planned, failed)
    : copy.plannedCall(part, planned, failed);
}

function ofDone(succeeded: number, failed: number, part: number | undefined): string {
  return part === undefined
    ? importReviewCopy.result.call(succeeded, failed)
    : copy.call(part, succeeded, failed);
}

/** Undoes every call of the run. */
function UndoRun() {
  const store = useImportStore();
  const state = useImportState();
  const calls = callsToUndo(state);
  // Also a call whose response was lost.
  const found = useUndoableCalls(state.importId).map(({ id }) => id);
  const [ids, setIds] = useState<readonly string[]>();
  return (
    <>
      {calls.length > 0 && (
        <Button
          variant="default"
          onClick={() => setIds([...new Set([...found, ...calls.map(({ id }) => id)])])}
        >
          {importCopy.result.undo}
        </Button>
      )}
      {ids && (
        <UndoDialog
          ids={ids}
          onCallUndone={(id, { report, callId }) =>
            store.dispatch({
              type: 'callUndone',
              id,
              undoneBy: callId ?? '',
              skipped: new Set(report.failedItems.map(employeeIDOf)),
            })
          }
          onClose={() => setIds(undefined)}
        />
      )}
    </>
  );
}

/** A call may have been undone on the Activity page, or by someone else. It can't be undone again. */
function useUndoneElsewhere(): void {
  const store = useImportStore();
  const maySee = usePermission('users:read');
  const ids = callsToUndo(useImportState()).map(({ id }) => id);
  const undone = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['activity', 'call', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await rollcall.call('getCall', { path: { id }, signal })).body.data,
      enabled: maySee,
      staleTime: 0,
    })),
    combine: (queries) =>
      queries.flatMap(({ data }) => (data?.undoneBy == null ? [] : [`${data.id} ${data.undoneBy}`])).join(),
  });
  useEffect(() => {
    for (const pair of undone === '' ? [] : undone.split(',')) {
      const [id = '', undoneBy = ''] = pair.split(' ');
      store.dispatch({ type: 'callUndone', id, undoneBy, skipped: new Set() });
    }
  }, [undone, store]);
}
