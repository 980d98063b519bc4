import { Anchor, Paper, Skeleton, Stack } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Actor } from '../components/actor.js';
import { TechnicalDetails } from '../components/disclosure.js';
import { EmptyState, NotAllowed } from '../components/empty-state.js';
import { Fact, Facts } from '../components/facts.js';
import type { Run } from '../components/feeds.js';
import { PageTitle } from '../components/page-title.js';
import { Problem } from '../components/problem.js';
import { Section } from '../components/section.js';
import { commonCopy } from '../copy/copy.js';
import { formatDateTime, formatNumber } from '../copy/format.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import { usePermission } from '../session/session.js';
import { isUnderWay } from './feed.js';
import { feedQuery, runQuery } from './queries.js';
import { RunCounts } from './run-counts.js';
import { StopRun } from './run-decisions.js';
import { RunNotice } from './run-notice.js';
import { RunRows } from './run-rows.js';
import { RunProgress, RunStateBadge } from './run-state.js';
import { ReplayRun, UndoRun } from './undo-run.js';
import { UsualCharts } from './usual-charts.js';

const copy = feedsCopy.run;

/** What a run did or would do, row by row. */
export function RunPage({ feed: key, id }: { feed: string; id: string }) {
  const maySee = usePermission('users:read');
  const { data: feed } = useQuery({ ...feedQuery(key), enabled: maySee });
  const { data: run, error, refetch } = useQuery({ ...runQuery(key, id), enabled: maySee });
  const name = feed?.name ?? key;
  return (
    <>
      <Anchor component={Link} href={`/feeds/${key}`} size="sm">
        {feedsCopy.backToFeed(name)}
      </Anchor>
      <PageTitle
        title={run ? copy.title(name, formatDateTime(run.createdAt)) : copy.loading}
        section={feedsCopy.title}
      >
        {run && (
          <>
            <StopRun run={run} />
            <ReplayRun run={run} />
            <UndoRun run={run} isFetched={feed?.source.type !== 'upload'} />
          </>
        )}
      </PageTitle>
      {!maySee && <NotAllowed />}
      {isRollcallError(error, 'FEED_NOT_FOUND', 'FEED_RUN_NOT_FOUND') ? (
        <EmptyState title={feedsCopy.runNotFound} hint={feedsCopy.runNotFoundHint} />
      ) : (
        error !== null && (
          <Problem title={feedsCopy.cannotLoad} error={error} onRetry={() => void refetch()} />
        )
      )}
      {maySee && !run && error === null && <Skeleton height={160} />}
      {run && (
        <Stack gap="lg">
          {isUnderWay(run) && (
            <Paper withBorder p="md">
              <RunProgress run={run} />
            </Paper>
          )}
          <RunNotice feed={feed} run={run} />
          <RunCounts run={run} />
          {run.state === 'waiting' && <UsualCharts feed={key} />}
          <RunFacts run={run} />
          {!hasNoRows(run) && <RunRows key={`${run.state} ${run.phase}`} run={run} />}
        </Stack>
      )}
    </>
  );
}

/** It failed before it went through the rows. */
function hasNoRows({ problem, counts }: Run): boolean {
  return problem !== null && Object.values(counts).every((count) => count === 0);
}

function RunFacts({ run }: { run: Run }) {
  return (
    <Section title={copy.facts} hidesTitle>
      <Facts>
        <Fact name={feedsCopy.runs.state}>
          <RunStateBadge run={run} />
        </Fact>
        <Fact name={copy.why}>
          {copy.trigger[run.trigger]}
          {run.isDryRun && ` · ${copy.dryRun}`}
        </Fact>
        {run.startedBy && (
          <Fact name={copy.by}>
            <Actor actor={run.startedBy} />
          </Fact>
        )}
        <Fact name={copy.at}>{formatDateTime(run.startedAt ?? run.createdAt)}</Fact>
        {run.finishedAt !== null && <Fact name={copy.ended}>{formatDateTime(run.finishedAt)}</Fact>}
        {run.approvedAt !== null && (
          <Fact name={copy.approved}>
            <Actor actor={run.approvedBy} isInline />, {formatDateTime(run.approvedAt)}
          </Fact>
        )}
        {run.undoneBy !== null && (
          <Fact name={copy.undone}>
            <Actor actor={run.undoneBy} />
          </Fact>
        )}
        <Fact name={copy.file}>{run.fileName ?? commonCopy.none}</Fact>
        {run.rows !== null && <Fact name={copy.fileRows}>{formatNumber(run.rows)}</Fact>}
        <Fact name={copy.settings}>{copy.version(run.version)}</Fact>
      </Facts>
      {run.replays !== null && (
        <Anchor component={Link} href={`/feeds/${run.feed}/runs/${run.replays}`} size="sm">
          {copy.replays}
        </Anchor>
      )}
      <TechnicalDetails>
        <Facts>
          <Fact name={copy.id}>{run.id}</Fact>
        </Facts>
      </TechnicalDetails>
    </Section>
  );
}
