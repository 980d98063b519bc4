import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { EmptyState } from '../components/empty-state.js';
import { Fact, Facts } from '../components/facts.js';
import { usePagedList } from '../components/paged-list.js';
import { StateBadge } from '../components/state-badge.js';
import { targetsCopy as copy } from '../copy/copy.js';
import { formatDateTime, formatNumber } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import { CardActions, CardList } from './cards.js';
import { comparisonText, errorText, healthOf, type Target, type TargetAction } from './target.js';
import { TargetDialog } from './target-dialog.js';

/** Targets move on by themselves, and the user may be waiting for that. */
const intervalMs = { idle: 15_000, busy: 3_000 };

export function TargetsPage() {
  const [action, setAction] = useState<TargetAction>();
  const list = usePagedList<Target>({
    key: ['settings', 'targets'],
    load: async (page, signal) => (await rollcall.call('listScimTargets', { query: page, signal })).body.data,
    refetchMs: (targets) => {
      const isAnyBusy = targets.some(
        (target) =>
          ['pushing', 'syncing', 'failing'].includes(healthOf(target)) || target.comparison?.endedAt === null,
      );
      return isAnyBusy ? intervalMs.busy : intervalMs.idle;
    },
  });
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text c="dimmed">{copy.lead}</Text>
        <Button onClick={() => setAction({ kind: 'create' })}>{copy.create}</Button>
      </Group>
      <CardList
        list={list}
        empty={<EmptyState title={copy.empty} hint={copy.emptyHint} />}
        card={(target) => <TargetCard key={target.id} target={target} act={setAction} />}
      />
      {action && <TargetDialog action={action} onClose={() => setAction(undefined)} />}
    </>
  );
}

const colors = {
  good: 'green',
  pushing: 'blue',
  syncing: 'blue',
  failing: 'red',
  stopped: 'red',
  paused: 'gray',
} as const;

function TargetCard({ target, act }: { target: Target; act: (action: TargetAction) => void }) {
  const { name, comparison } = target;
  const health = healthOf(target);
  const action = (kind: Exclude<TargetAction['kind'], 'create'>) => ({
    id: kind === 'pause' || kind === 'resume' ? 'switch' : kind,
    label: copy[kind],
    onClick: () => act({ kind, target }),
  });
  const isCompared = comparison !== null && comparison.endedAt !== null;
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        <StateBadge color={colors[health]}>{copy.health[health]}</StateBadge>
      </Group>
      <Facts>
        <Failure target={target} />
        <Fact name={copy.url}>{target.url}</Fact>
        <Fact name={copy.organizations}>{target.organizationSerials.join(', ') || copy.all}</Fact>
        <Fact name={copy.tags}>{target.tagSerials.join(', ') || copy.all}</Fact>
        <Fact name={copy.users}>{formatNumber(target.users)}</Fact>
        {target.sendsGroups && <Fact name={copy.groups}>{formatNumber(target.groups)}</Fact>}
        <Fact name={copy.queued}>{formatNumber(target.queued)}</Fact>
        <Fact name={copy.failed}>{formatNumber(target.failed)}</Fact>
        <Fact name={copy.lastPush}>
          {target.lastPushAt === null ? copy.never : formatDateTime(target.lastPushAt)}
        </Fact>
        <Fact name={copy.comparison}>{comparisonText(comparison)}</Fact>
        <Fact name={copy.created}>{formatDateTime(target.createdAt)}</Fact>
      </Facts>
      <CardActions
        name={name}
        actions={[
          action('edit'),
          target.isPaused ? action('resume') : action('pause'),
          action('sync'),
          action('compare'),
          ...(isCompared ? [action('differences'), action('repair')] : []),
          ...(target.failed > 0 ? [action('failures')] : []),
          action('remove'),
        ]}
      />
    </Paper>
  );
}

function Failure({ target }: { target: Target }) {
  const { pausedBecause, failingSince, nextAttemptAt, lastError, lastStatus } = target;
  return (
    <>
      {pausedBecause !== null && <Fact name={copy.paused}>{copy.pausedBecause[pausedBecause]}</Fact>}
      {failingSince !== null && <Fact name={copy.failingSince}>{formatDateTime(failingSince)}</Fact>}
      {lastError !== null && <Fact name={copy.lastError}>{errorText(lastError, lastStatus)}</Fact>}
      {nextAttemptAt !== null && <Fact name={copy.next}>{formatDateTime(nextAttemptAt)}</Fact>}
    </>
  );
}
