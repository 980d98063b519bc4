import { Button, Group, Progress, Stack, Switch, Text } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { EmptyState } from '../../components/empty-state.js';
import { Notice } from '../../components/notice.js';
import { Problem } from '../../components/problem.js';
import { importCopy, importReviewCopy } from '../../copy/on-demand-copy.js';
import { Counters, useShown } from '../components/counters.js';
import { DownloadInvalid } from '../components/download-invalid.js';
import { FieldSummary } from '../components/field-summary.js';
import { StepHeading, type StepProps } from '../components/step-heading.js';
import { expectedMs, useExpectedShare } from '../components/use-expected-share.js';
import { useUserCounts } from '../components/use-user-counts.js';
import { noUsers, type UserCounts, usersToChange } from '../state/affected-users.js';
import { dependencies } from '../state/dependencies.js';
import { otherNames } from '../state/names.js';
import { openRows } from '../state/rows.js';
import type { Check } from '../state/state.js';
import { useImportState, useImportStore } from '../state/store.js';
import {
  type CheckCounts,
  type CheckFilter,
  checkFilters,
  countChecks,
  countSent,
  countToReview,
  filterChecks,
} from '../state/verdicts.js';
import { CheckTable } from './check-table.js';
import { takeBackRows, undoEdit } from './edit-cells.js';
import { FixOffer } from './fix-offer.js';
import { MissingNotice } from './missing-notice.js';
import { resumeCheck } from './run-check.js';
import { RunOptions } from './run-options.js';
import { StartRun } from './start-run.js';

const copy = importCopy.check;
const colors: Partial<Record<string, string>> = {
  invalid: 'var(--import-red)',
  deactivated: 'var(--import-orange)',
  warnings: 'var(--import-orange)',
};

export function CheckStep({ goTo }: StepProps) {
  const { rows, check, names } = useImportState();
  const counts = rows && countChecks(rows);
  const filter = useShown(checkFilters, useOpening(check, counts));
  const users = useUsersToChange(counts);
  const grid = useRef<HTMLElement>(null);
  const [search, setSearch] = useSearchParams();
  const abort = check?.abort;
  // biome-ignore lint/correctness/useExhaustiveDependencies: edited rows stay visible until the filter or the check changes
  const kept = useMemo(() => new Set<number>(), [filter, abort]);
  if (!rows || !check || !counts) return null;
  const onlyProblems = search.get('columns') === 'problems';
  const showOnlyProblems = (isOn: boolean) =>
    setSearch(
      (current) => {
        if (isOn) current.set('columns', 'problems');
        else current.delete('columns');
        return current;
      },
      { replace: true },
    );
  const visible = filterChecks(rows, openRows(rows), filter, kept);
  return (
    <Stack>
      <Stack gap={6}>
        <StepHeading>{copy.heading}</StepHeading>
        <CheckProgress check={check} counts={counts} />
        <Notes check={check} counts={counts} users={users.all} />
        <Text size="sm" c="dimmed">
          {copy.editHint}
        </Text>
      </Stack>
      <MissingNotice />
      <FieldSummary users={users} />
      <Counters
        label={copy.filter}
        counters={checkFilters.map((name) => ({
          name,
          label: copy.counts[name],
          value: name === 'toReview' ? countToReview(counts) : counts[name],
          color: colors[name],
        }))}
        value={filter}
      />
      <FixOffer grid={grid} />
      <Group gap="md">
        {(counts.invalid > 0 || counts.warnings > 0 || onlyProblems) && (
          <Switch
            label={copy.onlyProblemColumns}
            checked={onlyProblems}
            onChange={(event) => showOnlyProblems(event.currentTarget.checked)}
          />
        )}
        <UndoEdit />
        <LeftOut />
      </Group>
      <CheckTable
        key={filter}
        ref={grid}
        visible={visible}
        onlyProblems={onlyProblems}
        onEdited={(row) => kept.add(row)}
      />
      {visible.length === 0 && <EmptyState title={copy.nothing} />}
      {counts.changes > 0 && <RunOptions passwords={users.passwords} />}
      <Group>
        <Button variant="default" onClick={() => goTo(otherNames(names).length > 0 ? 'names' : 'columns')}>
          {importCopy.back}
        </Button>
        <StartRun users={users} goTo={goTo} />
        <DownloadInvalid />
      </Group>
    </Stack>
  );
}

/** The rows to open on. Decided once a check has ended, so that an edit doesn't exchange them. */
function useOpening(check: Check | undefined, counts: CheckCounts | undefined): CheckFilter {
  const [opening, setOpening] = useState<{ abort: AbortController; filter: CheckFilter }>();
  const known = opening?.abort === check?.abort ? opening : undefined;
  if (!known && check?.state === 'checked' && counts) {
    setOpening({ abort: check.abort, filter: countToReview(counts) > 0 ? 'toReview' : 'all' });
  }
  return known?.filter ?? 'all';
}

/** Takes back the last edit, whether it was one cell or many. */
function UndoEdit() {
  const store = useImportStore();
  const { edits, format, check } = useImportState();
  const last = edits.at(-1);
  if (!last || check?.state === 'reading') return null;
  const heading = format?.headings[last.column]?.name ?? '';
  return (
    <Button size="xs" variant="default" onClick={() => undoEdit(store, dependencies)}>
      {copy.undoEdit(heading, last.after.length)}
    </Button>
  );
}

/** How many rows of the file were taken out of the import, with a way back. */
function LeftOut() {
  const store = useImportStore();
  const count = useImportState().rows?.leftOut.size ?? 0;
  if (count === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm" role="status">
        {copy.leftOutRows(count)}
      </Text>
      <Button size="xs" variant="default" onClick={() => takeBackRows(store, dependencies)}>
        {copy.takeBackRows}
      </Button>
    </Group>
  );
}

/** Until the check has ended and users are told apart, which takes long, rows stand for users. */
function useUsersToChange(counts: CheckCounts | undefined): UserCounts {
  const { rows, check } = useImportState();
  const users = useUserCounts(usersToChange, rows, check?.state === 'checked' ? check : {});
  return users ?? { ...noUsers, all: counts?.changes ?? 0, passwords: counts?.created ?? 0 };
}

interface CheckProps {
  readonly check: Check;
  readonly counts: CheckCounts;
}

function CheckProgress({ check, counts }: CheckProps) {
  const store = useImportStore();
  const progress = useProgress(check, counts);
  if (check.state === 'stopped') {
    return (
      <Problem
        title={copy.stopped}
        error={check.error}
        onRetry={() => void resumeCheck(store, dependencies)}
      />
    );
  }
  const isChecked = check.state === 'checked';
  return (
    <div>
      {!isChecked && <Progress value={progress * 100} animated mb={4} aria-label={copy.reading} />}
      <Text size="sm" role="status">
        {progressText(check, counts)}
      </Text>
    </div>
  );
}

/** Rows are checked one by one, which takes about a fifth of the time, then previewed by the service in parts. */
function useProgress(check: Check, { all, waiting }: CheckCounts): number {
  const { itemsPerCall } = useImportState();
  const inFlight = Math.min(itemsPerCall, waiting);
  const part = check.state === 'previewing' ? check.queue : undefined;
  const share = useExpectedShare(part, expectedMs(inFlight));
  if (all === 0) return 1;
  if (check.state === 'reading') return (0.2 * check.read) / all;
  return check.state === 'listing' ? 0.2 : 0.2 + (0.8 * (all - waiting + share * inFlight)) / all;
}

function progressText({ state, active }: Check, { all, waiting }: CheckCounts): string {
  if (state === 'checked') return copy.checked;
  if (state === 'reading') return copy.reading;
  return state === 'listing' ? copy.listing(active?.seen ?? 0) : copy.previewing(all - waiting, all);
}

function Notes({ check, counts, users }: CheckProps & { users: number }) {
  const { itemsPerCall } = useImportState();
  const safetyLimits = [...new Set(check.chunks.flatMap(({ safetyLimit }) => safetyLimit ?? []))];
  const mayBeWrong = check.chunks.length > 1 && (counts.renamed > 0 || counts.invalid > 0);
  const isChecked = check.state === 'checked';
  const sent = countSent(counts, check.chunks.length);
  const leftOut = counts.all - counts.unchanged - sent;
  return (
    <>
      {safetyLimits.length > 0 && (
        <Notice color="orange" title={copy.safetyLimit}>
          {safetyLimits.map((message) => (
            <Text size="sm" key={message}>
              {message}
            </Text>
          ))}
        </Notice>
      )}
      {isChecked && mayBeWrong && (
        <Text size="sm">{copy.acrossChunks(check.chunks.length, itemsPerCall)}</Text>
      )}
      {isChecked && sent !== users && <Text size="sm">{importReviewCopy.rowsForUsers(sent, users)}</Text>}
      {isChecked && leftOut > 0 && <Text size="sm">{copy.invalidHint(leftOut)}</Text>}
    </>
  );
}
