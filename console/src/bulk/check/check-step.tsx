import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { EmptyState } from '../../components/empty-state.js';
import { Notice } from '../../components/notice.js';
import { Problem } from '../../components/problem.js';
import { bulkCopy } from '../../copy/bulk.js';
import type { StepProps } from '../bulk-page.js';
import { type Count, Counts } from '../components/counts.js';
import { Filter, useFilter } from '../components/row-filter.js';
import { StepHeading } from '../components/step-heading.js';
import { tools } from '../state/dependencies.js';
import { useNews } from '../state/news.js';
import { type CheckCounts, checkFilters, countChecks, filterChecks, openRows } from '../state/rows.js';
import type { Wizard } from '../state/wizard.js';
import { type Check, goOnChecking } from './check.js';
import { CheckTable } from './check-table.js';
import { Deliver } from './password-delivery.js';
import { StartRun } from './start-run.js';

const copy = bulkCopy.check;

export function CheckStep({ wizard, onGo }: StepProps) {
  const version = useNews(wizard.news);
  const filter = useFilter(checkFilters, 'all');
  const { rows, check, kind } = wizard;
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are changed in place, and the version tells when
  const open = useMemo(() => (rows ? openRows(rows) : []), [rows, version]);
  const counts = useMemo(() => rows && countChecks(rows, open), [rows, open]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a row that was just mended stays in sight
  const kept = useMemo(() => new Set<number>(), [filter, check]);
  if (!rows || !check || !counts) return null;
  const shown = filterChecks(rows, open, filter, kept);
  return (
    <Stack>
      <div>
        <StepHeading>{copy.heading}</StepHeading>
        <Text size="sm">{copy.mendHint}</Text>
      </div>
      <CheckState wizard={wizard} check={check} counts={counts} />
      <Counts counts={countsOf(counts, kind)} />
      <Notes wizard={wizard} check={check} counts={counts} />
      {kind === 'create' && <Deliver wizard={wizard} count={counts.changes} />}
      <Group justify="space-between">
        <Filter label={copy.show} names={checkFilters} copy={copy.filters} value={filter} />
        <Group>
          <Button variant="default" onClick={() => onGo('columns')}>
            {bulkCopy.back}
          </Button>
          <StartRun
            wizard={wizard}
            count={counts.changes}
            isReady={check.state === 'checked' && mayChangeAnything(check, counts)}
            onGo={onGo}
          />
        </Group>
      </Group>
      {shown.length === 0 ? (
        <EmptyState title={copy.nothing[filter]} />
      ) : (
        <CheckTable
          key={filter}
          wizard={wizard}
          check={check}
          shown={shown}
          onMended={(row) => kept.add(row)}
        />
      )}
    </Stack>
  );
}

/** What the preview of a later call refuses may well be done once the calls before it are. */
function mayChangeAnything({ parts }: Check, { changes, fit }: CheckCounts): boolean {
  return changes > 0 || (parts.length > 1 && fit > 0);
}

function countsOf(counts: CheckCounts, kind: Wizard['kind']): Count[] {
  const { changes, renames, deactivates, unchanged, wrong, waiting } = counts;
  return [
    { label: copy.counts.changes[kind], value: changes },
    { label: copy.counts.renames, value: renames },
    { label: copy.counts.deactivates, value: deactivates },
    { label: copy.counts.unchanged, value: unchanged },
    {
      label: copy.counts.wrong,
      value: wrong,
      color: 'var(--bulk-red)',
    },
    { label: copy.counts.waiting, value: waiting },
  ];
}

interface PartProps {
  readonly wizard: Wizard;
  readonly check: Check;
  readonly counts: CheckCounts;
}

function CheckState({ wizard, check, counts }: PartProps) {
  if (check.state === 'stopped') {
    return (
      <Problem title={copy.stopped} error={check.error} onRetry={() => void goOnChecking(wizard, tools)} />
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

function Notes({ wizard, check, counts }: PartProps) {
  const brakes = [...new Set(check.parts.flatMap(({ brake }) => brake ?? []))];
  const isAcross = check.parts.length > 1 && (counts.renames > 0 || counts.wrong > 0);
  const isChecked = check.state === 'checked';
  return (
    <>
      {brakes.length > 0 && (
        <Notice color="orange" title={copy.brake}>
          {brakes.map((sentence) => (
            <Text size="sm" key={sentence}>
              {sentence}
            </Text>
          ))}
        </Notice>
      )}
      {isChecked && isAcross && (
        <Text size="sm">{copy.acrossCalls(check.parts.length, wizard.itemsPerCall)}</Text>
      )}
      {isChecked && counts.wrong > 0 && <Text size="sm">{copy.wrongLeftOut(counts.wrong)}</Text>}
    </>
  );
}
