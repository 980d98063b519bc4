import { Button, Group, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { EmptyState } from '../../components/empty-state.js';
import { Notice } from '../../components/notice.js';
import { bulkCopy } from '../../copy/bulk.js';
import type { StepProps } from '../bulk-page.js';
import { newChecker, startCheck } from '../check/check.js';
import { Counts } from '../components/counts.js';
import { download } from '../components/download.js';
import { Filter, useFilter } from '../components/row-filter.js';
import { StepHeading } from '../components/step-heading.js';
import { tools } from '../state/dependencies.js';
import { useNews } from '../state/news.js';
import { countEndings, type Ending, endingOf } from '../state/rows.js';
import { MadeCalls } from './call-list.js';
import { failuresCsv } from './failures-csv.js';
import { ResultTable } from './result-table.js';
import { callsToUndo } from './undo.js';
import { UndoDialog, UndoResult } from './undo-dialog.js';

const copy = bulkCopy.result;
const filters = ['all', 'failed', 'done', 'undone', 'unknown', 'notSent'] as const;

export function ResultStep({ wizard, onGo }: StepProps) {
  const version = useNews(wizard.news);
  const { rows, format, source, kind } = wizard;
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are changed in place, and the version tells when
  const counts = useMemo(() => rows && countEndings(rows), [rows, version]);
  const filter = useFilter(filters, counts && counts.failed > 0 ? 'failed' : 'all');
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const shown = useMemo(() => {
    const all = Array.from(rows?.cells.keys() ?? []);
    return rows && filter !== 'all' ? all.filter((row) => endingOf(rows, row) === filter) : all;
  }, [rows, filter, version]);
  if (!rows || !format || !counts) return null;
  const again = () => {
    const checker = newChecker(wizard);
    if (checker) void startCheck(wizard, checker, tools);
    onGo('check');
  };
  const left = counts.notSent + counts.unknown;
  const isAllDone = counts.done === rows.cells.length;
  return (
    <Stack>
      <StepHeading>{copy.heading}</StepHeading>
      {isAllDone && (
        <Notice color="green" role="status">
          {copy.allDone(counts.done)}
        </Notice>
      )}
      <Counts
        counts={[
          { label: copy.counts.done, value: counts.done },
          {
            label: copy.counts.failed,
            value: counts.failed,
            color: 'var(--bulk-red)',
          },
          { label: copy.counts.undone, value: counts.undone },
          { label: copy.counts.unknown, value: counts.unknown },
          { label: copy.counts.notSent, value: counts.notSent },
        ]}
      />
      <UndoResult undo={wizard.undo} kind={kind} />
      <Group>
        {counts.failed > 0 && (
          <>
            <Button onClick={again}>{copy.mend}</Button>
            <Button
              variant="default"
              title={copy.downloadHint}
              onClick={() =>
                download(copy.downloadName(source?.name ?? ''), failuresCsv(rows, format, wizard.mapping))
              }
            >
              {copy.download(counts.failed)}
            </Button>
          </>
        )}
        {counts.failed === 0 && left > 0 && <Button onClick={again}>{copy.runRest(left)}</Button>}
        {counts.failed + left === 0 && counts.undone > 0 && <Button onClick={again}>{copy.runAgain}</Button>}
        {callsToUndo(wizard).length > 0 && <UndoDialog wizard={wizard} />}
        <Button variant="default" onClick={() => onGo('file')}>
          {bulkCopy.startOver}
        </Button>
      </Group>
      {counts.failed > 0 && (
        <Text size="sm" c="dimmed">
          {copy.downloadHint}
        </Text>
      )}
      {counts.unknown > 0 && <Notice color="orange">{copy.unknownHint(counts.unknown)}</Notice>}
      <MadeCalls calls={wizard.calls} />
      <div>
        <Filter
          label={bulkCopy.check.show}
          names={filters.filter((name) => name === 'all' || counts[name as Ending] > 0)}
          copy={copy.filters}
          value={filter}
        />
      </div>
      {shown.length === 0 ? (
        <EmptyState title={copy.nothing} />
      ) : (
        <ResultTable key={filter} wizard={wizard} shown={shown} />
      )}
    </Stack>
  );
}
