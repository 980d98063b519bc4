import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { EmptyState } from '../../components/empty-state.js';
import { Notice } from '../../components/notice.js';
import { Problem } from '../../components/problem.js';
import { bulkCopy } from '../../copy/copy.js';
import { type Count, Counts } from '../components/counts.js';
import { RowFilter, useRowFilter } from '../components/row-filter.js';
import { StepHeading } from '../components/step-heading.js';
import type { StepProps } from '../components/step-props.js';
import { dependencies } from '../state/dependencies.js';
import { type CheckCounts, checkFilters, countChecks, filterChecks, openRows } from '../state/rows.js';
import type { BulkKind } from '../state/service-calls.js';
import type { Check } from '../state/state.js';
import { useBulkState, useBulkStore } from '../state/store.js';
import { CheckTable } from './check-table.js';
import { PasswordDelivery } from './password-delivery.js';
import { resumeCheck } from './run-check.js';
import { StartRun } from './start-run.js';

const copy = bulkCopy.check;

export function CheckStep({ goTo }: StepProps) {
  const { rows, check, kind } = useBulkState();
  const filter = useRowFilter(checkFilters, 'all');
  const open = useMemo(() => (rows ? openRows(rows) : []), [rows]);
  const counts = useMemo(() => rows && countChecks(rows, open), [rows, open]);
  const abort = check?.abort;
  // biome-ignore lint/correctness/useExhaustiveDependencies: edited rows stay visible until the filter or the check changes
  const kept = useMemo(() => new Set<number>(), [filter, abort]);
  if (!rows || !check || !counts) return null;
  const visible = filterChecks(rows, open, filter, kept);
  return (
    <Stack>
      <div>
        <StepHeading>{copy.heading}</StepHeading>
        <Text size="sm">{copy.editHint}</Text>
      </div>
      <CheckProgress check={check} counts={counts} />
      <Counts counts={countsOf(counts, kind)} />
      <Notes check={check} counts={counts} />
      {kind === 'create' && <PasswordDelivery count={counts.changes} />}
      <Group justify="space-between">
        <RowFilter label={copy.show} names={checkFilters} labels={copy.filters} value={filter} />
        <Group>
          <Button variant="default" onClick={() => goTo('columns')}>
            {bulkCopy.back}
          </Button>
          <StartRun
            count={counts.changes}
            isReady={check.state === 'checked' && mayChangeAnything(check, counts)}
            goTo={goTo}
          />
        </Group>
      </Group>
      {visible.length === 0 ? (
        <EmptyState title={copy.nothing[filter]} />
      ) : (
        <CheckTable key={filter} visible={visible} onEdited={(row) => kept.add(row)} />
      )}
    </Stack>
  );
}

/** Rows that the preview of a later chunk rejects may succeed after the chunks before it. */
function mayChangeAnything({ chunks }: Check, { changes, valid }: CheckCounts): boolean {
  return changes > 0 || (chunks.length > 1 && valid > 0);
}

function countsOf(counts: CheckCounts, kind: BulkKind): Count[] {
  const { changes, renames, deactivates, unchanged, error, waiting } = counts;
  return [
    { label: copy.counts.changes[kind], value: changes },
    { label: copy.counts.renames, value: renames },
    { label: copy.counts.deactivates, value: deactivates },
    { label: copy.counts.unchanged, value: unchanged },
    { label: copy.counts.error, value: error, color: 'var(--bulk-red)' },
    { label: copy.counts.waiting, value: waiting },
  ];
}

interface CheckProps {
  readonly check: Check;
  readonly counts: CheckCounts;
}

function CheckProgress({ check, counts }: CheckProps) {
  const store = useBulkStore();
  if (check.state === 'stopped') {
    return (
      <Problem
        title={copy.stopped}
        error={check.error}
        onRetry={() => void resumeCheck(store, dependencies)}
      />
    );
  }
  const { all, waiting } = counts;
  const isChecked = check.state === 'checked';
  const text = isChecked
    ? copy.checked
    : check.state === 'reading'
      ? copy.reading
      : copy.previewing(all - waiting, all);
  return (
    <div>
      {!isChecked && (
        <Progress
          value={all === 0 ? 100 : ((all - waiting) / all) * 100}
          animated
          mb={4}
          aria-label={copy.reading}
        />
      )}
      <Text size="sm" role="status">
        {text}
      </Text>
    </div>
  );
}

function Notes({ check, counts }: CheckProps) {
  const { itemsPerCall } = useBulkState();
  const safetyLimits = [...new Set(check.chunks.flatMap(({ safetyLimit }) => safetyLimit ?? []))];
  const mayPreviewWrongly = check.chunks.length > 1 && (counts.renames > 0 || counts.error > 0);
  const isChecked = check.state === 'checked';
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
      {isChecked && mayPreviewWrongly && (
        <Text size="sm">{copy.acrossChunks(check.chunks.length, itemsPerCall)}</Text>
      )}
      {isChecked && counts.error > 0 && <Text size="sm">{copy.errorsSkipped(counts.error)}</Text>}
    </>
  );
}
