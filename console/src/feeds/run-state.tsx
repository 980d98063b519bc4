import { Anchor, Progress, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Run } from '../components/feeds.js';
import { StateBadge } from '../components/state-badge.js';
import { formatDateTime } from '../copy/format.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import { isUnderWay, resultOf, runColors } from './feed.js';

const copy = feedsCopy.run;

export function RunStateBadge({ run: { state } }: { run: Run }) {
  return <StateBadge color={runColors[state]}>{copy.state[state]}</StateBadge>;
}

/** The time of a run, with a link to its page. */
export function RunLink({ run: { feed, id, createdAt } }: { run: Run }) {
  return (
    <Anchor component={Link} href={`/feeds/${feed}/runs/${id}`} size="sm">
      {formatDateTime(createdAt)}
    </Anchor>
  );
}

/** How much it changed, or would change. */
export function RunResult({ run }: { run: Run }) {
  const { changes, isPlanned } = resultOf(run);
  const text = isPlanned ? feedsCopy.counts.wouldChange : feedsCopy.counts.changes;
  return (
    <>
      {changes === 0 ? feedsCopy.counts.none : text(changes)}
      {run.counts.failed > 0 && (
        <Text span inherit fw={700} c="var(--mantine-color-error)">
          {' · '}
          {feedsCopy.counts.failures(run.counts.failed)}
        </Text>
      )}
    </>
  );
}

/** What a run is doing, and how far it is. */
export function RunProgress({ run }: { run: Run }) {
  if (!isUnderWay(run)) return null;
  const { state, phase, rows, done } = run;
  const share = rows === null || rows === 0 || state !== 'running' ? undefined : (100 * done) / rows;
  return (
    <Stack gap={6} role="status">
      <Text size="sm">
        {state === 'queued' ? copy.state.queued : state === 'undoing' ? copy.undoing : copy.phase[phase]}
      </Text>
      <Progress
        value={share ?? 100}
        animated={share === undefined}
        striped={share === undefined}
        transitionDuration={0}
        aria-label={copy.progress}
      />
      {share !== undefined && rows !== null && (
        <Text size="xs" c="dimmed">
          {copy.rowsDone(done, rows)}
        </Text>
      )}
    </Stack>
  );
}
