import { Button, Group, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { EmptyState } from '../../components/empty-state.js';
import { Notice } from '../../components/notice.js';
import { importCopy } from '../../copy/copy.js';
import { startCheck } from '../check/run-check.js';
import { Counters, useShown } from '../components/counters.js';
import { DownloadInvalid } from '../components/download-invalid.js';
import { StepHeading } from '../components/step-heading.js';
import type { StepProps } from '../components/step-props.js';
import { dependencies } from '../state/dependencies.js';
import { useImportState, useImportStore } from '../state/store.js';
import { countResults, type ResultCounts, resultOf, resultRows, results } from '../state/verdicts.js';
import { CallList } from './call-list.js';
import { PlannedNotice } from './planned-notice.js';
import { ResultSummary } from './result-summary.js';
import { ResultTable } from './result-table.js';
import { UndoRun } from './undo-run.js';
import { useUndoneElsewhere } from './use-undone-elsewhere.js';

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
      <Button variant="default" onClick={() => goTo('file')}>
        {importCopy.startOver}
      </Button>
    </Group>
  );
}
