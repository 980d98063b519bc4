import { Button, Group, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { download } from '../../components/download.js';
import { EmptyState } from '../../components/empty-state.js';
import { Notice } from '../../components/notice.js';
import { bulkCopy } from '../../copy/copy.js';
import { startCheck } from '../check/run-check.js';
import { Counts } from '../components/counts.js';
import { RowFilter, useRowFilter } from '../components/row-filter.js';
import { StepHeading } from '../components/step-heading.js';
import type { StepProps } from '../components/step-props.js';
import { dependencies } from '../state/dependencies.js';
import { countResults, type RowResult, resultOf } from '../state/rows.js';
import { useBulkState, useBulkStore } from '../state/store.js';
import { CallList } from './call-list.js';
import { failuresCsv } from './failures-csv.js';
import { ResultTable } from './result-table.js';
import { UndoRun } from './undo-run.js';

const copy = bulkCopy.result;
const filters = ['all', 'failed', 'done', 'planned', 'undone', 'unknown', 'notSent'] as const;

export function ResultStep({ goTo }: StepProps) {
  const { rows, format } = useBulkState();
  const counts = useMemo(() => rows && countResults(rows), [rows]);
  const filter = useRowFilter(filters, counts && counts.failed > 0 ? 'failed' : 'all');
  const visible = useMemo(() => {
    const all = Array.from(rows?.cells.keys() ?? []);
    return rows && filter !== 'all' ? all.filter((row) => resultOf(rows, row) === filter) : all;
  }, [rows, filter]);
  if (!rows || !format || !counts) return null;
  return (
    <Stack>
      <StepHeading>{copy.heading}</StepHeading>
      {counts.done === rows.cells.length && (
        <Notice color="green" role="status">
          {copy.allDone(counts.done)}
        </Notice>
      )}
      <Counts
        counts={[
          { label: copy.counts.done, value: counts.done },
          { label: copy.counts.failed, value: counts.failed, color: 'var(--bulk-red)' },
          ...(counts.planned > 0 ? [{ label: copy.counts.planned, value: counts.planned }] : []),
          { label: copy.counts.undone, value: counts.undone },
          { label: copy.counts.unknown, value: counts.unknown },
          { label: copy.counts.notSent, value: counts.notSent },
        ]}
      />
      <Actions counts={counts} goTo={goTo} />
      {counts.failed > 0 && (
        <Text size="sm" c="dimmed">
          {copy.downloadHint}
        </Text>
      )}
      {counts.planned > 0 && (
        <Notice color="yellow" role="status" title={copy.plannedTitle}>
          {copy.plannedHint(counts.planned)}
        </Notice>
      )}
      {counts.unknown > 0 && <Notice color="orange">{copy.unknownHint(counts.unknown)}</Notice>}
      <CallList />
      <div>
        <RowFilter
          label={bulkCopy.check.show}
          names={filters.filter((name) => name === 'all' || counts[name] > 0)}
          labels={copy.filters}
          value={filter}
        />
      </div>
      {visible.length === 0 ? (
        <EmptyState title={copy.nothing} />
      ) : (
        <ResultTable key={filter} visible={visible} />
      )}
    </Stack>
  );
}

interface ActionsProps extends StepProps {
  readonly counts: Readonly<Record<RowResult, number>>;
}

function Actions({ counts, goTo }: ActionsProps) {
  const store = useBulkStore();
  const { rows, format, source, mapping } = useBulkState();
  if (!rows || !format) return null;
  const checkAgain = () => {
    void startCheck(store, dependencies);
    goTo('check');
  };
  const downloadFailures = () =>
    download(copy.downloadName(source?.name ?? ''), failuresCsv(rows, format, mapping));
  const left = counts.notSent + counts.unknown;
  return (
    <Group>
      {counts.failed > 0 && (
        <>
          <Button onClick={checkAgain}>{copy.fix}</Button>
          <Button variant="default" title={copy.downloadHint} onClick={downloadFailures}>
            {copy.download(counts.failed)}
          </Button>
        </>
      )}
      {counts.failed === 0 && left > 0 && <Button onClick={checkAgain}>{copy.runRest(left)}</Button>}
      {counts.failed + left === 0 && counts.undone > 0 && (
        <Button onClick={checkAgain}>{copy.runAgain}</Button>
      )}
      <UndoRun />
      <Button variant="default" onClick={() => goTo('file')}>
        {bulkCopy.startOver}
      </Button>
    </Group>
  );
}
