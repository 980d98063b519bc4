import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { type DirectoryKind, useDisplayNames } from '../components/directory.js';
import { EmptyState } from '../components/empty-state.js';
import { Fact, Facts } from '../components/facts.js';
import { PageTitle } from '../components/page-title.js';
import { usePagedList } from '../components/paged-list.js';
import { StateBadge } from '../components/state-badge.js';
import { settingsCopy } from '../copy/copy.js';
import { formatDateTime, formatList, formatNumber } from '../copy/format.js';
import { targetsCopy as copy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { Card, CardActions, CardList } from './cards.js';
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
  const create = <Button onClick={() => setAction({ kind: 'create' })}>{copy.create}</Button>;
  const isEmpty = list.items.length === 0 && !list.isLoading && list.error === undefined;
  return (
    <>
      <PageTitle title={settingsCopy.tabs.targets} section={settingsCopy.title}>
        {!isEmpty && create}
      </PageTitle>
      {!isEmpty && (
        <Text c="dimmed" mb="md">
          {copy.lead}
        </Text>
      )}
      <CardList
        list={list}
        empty={
          <EmptyState title={copy.empty} hint={copy.emptyHint}>
            {create}
          </EmptyState>
        }
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
    <Card name={name} badge={<StateBadge color={colors[health]}>{copy.health[health]}</StateBadge>}>
      <Facts>
        <Failure target={target} />
        <Fact name={copy.url}>{target.url}</Fact>
        <Fact name={copy.organizations}>
          <Entries kind="organizations" serials={target.organizationSerials} />
        </Fact>
        <Fact name={copy.tags}>
          <Entries kind="tags" serials={target.tagSerials} />
        </Fact>
        <Fact name={copy.users}>{formatNumber(target.users)}</Fact>
        {target.sendsGroups && <Fact name={copy.groups}>{formatNumber(target.groups)}</Fact>}
        <Fact name={copy.queued}>{formatNumber(target.queued)}</Fact>
        {target.failed > 0 && <Fact name={copy.failed}>{formatNumber(target.failed)}</Fact>}
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
    </Card>
  );
}

/** By name. None means all. */
function Entries({ kind, serials }: { kind: DirectoryKind; serials: readonly string[] }) {
  const names = useDisplayNames(kind, serials);
  if (serials.length === 0) return copy.all;
  return formatList(serials.map((serial) => names.get(serial) ?? serial));
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
