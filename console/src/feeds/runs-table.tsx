import { Group, SegmentedControl, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Actor } from '../components/actor.js';
import { EmptyState } from '../components/empty-state.js';
import type { Feed, Run } from '../components/feeds.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { commonCopy } from '../copy/copy.js';
import { formatNumber } from '../copy/format.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { isUnderWay } from './feed.js';
import { RunLink, RunResult, RunStateBadge } from './run-state.js';

const copy = feedsCopy.runs;

const columns: readonly Column<Run>[] = [
  { header: copy.run, cell: (run) => <What run={run} /> },
  { header: copy.state, cell: (run) => <RunStateBadge run={run} /> },
  {
    header: copy.rows,
    isNumber: true,
    cell: ({ rows }) => (rows === null ? commonCopy.none : formatNumber(rows)),
  },
  { header: copy.result, cell: (run) => <RunResult run={run} /> },
];

const runningRefetchMs = 1_500;

export function RunsTable({ feed: { key, source } }: { feed: Feed }) {
  const [show, setShow] = useState<'runs' | 'previews'>('runs');
  const isDryRun = show === 'previews';
  const list = usePagedList<Run>({
    key: ['feeds', 'runs', key, show],
    load: async (page, signal) =>
      (await rollcall.call('listFeedRuns', { path: { key }, query: { isDryRun, ...page }, signal })).body
        .data,
    refetchMs: (runs) => runs.some(isUnderWay) && runningRefetchMs,
  });
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {copy.title}
        </Title>
        <SegmentedControl
          transitionDuration={0}
          size="xs"
          aria-label={copy.show}
          data={[
            { value: 'runs', label: copy.title },
            { value: 'previews', label: copy.previews },
          ]}
          value={show}
          onChange={(value) => setShow(value === 'previews' ? value : 'runs')}
        />
      </Group>
      <ListTable
        label={copy.table}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        minWidth={520}
        empty={
          isDryRun ? (
            <EmptyState title={copy.noPreviews} hint={copy.noPreviewsHint} />
          ) : (
            <EmptyState
              title={copy.empty}
              hint={source.type === 'upload' ? copy.emptyUploadHint : copy.emptyHint}
            />
          )
        }
      />
    </section>
  );
}

/** When it ran, and why. */
function What({ run }: { run: Run }) {
  const { trigger, startedBy, fileName } = run;
  return (
    <div style={{ overflowWrap: 'anywhere', minWidth: '9rem' }}>
      <RunLink run={run} />
      <Text size="xs" c="dimmed">
        {fileName ?? feedsCopy.run.trigger[trigger]}
        {startedBy && (
          <>
            {' · '}
            <Actor actor={startedBy} isInline />
          </>
        )}
      </Text>
    </div>
  );
}
