import type { AttentionKind } from '../../contract/status.js';
import type { SharedFigures } from '../../telemetry/shared-figures.js';
import type { Node } from './node-heartbeat.js';

export interface AttentionItem {
  readonly kind: AttentionKind;
  readonly count: number;
}

export interface AttentionFacts {
  readonly engine: 'embedded' | 'postgres';
  readonly nodes: readonly Node[];
  readonly figures: SharedFigures;
  readonly migrationsPending: number;
  readonly lastBackup: { readonly finishedAt: string } | null;
  readonly nowMs: number;
}

/** Longer than anything waits while all is well: retries and polling take seconds. */
const delayedSeconds = 300;
const indexingBehindSeconds = 60;
const backupOldMs = 2 * 86_400_000;

/** What someone has to look at, the most urgent first. */
export function attentionFor({
  engine,
  nodes,
  figures,
  migrationsPending,
  lastBackup,
  nowMs,
}: AttentionFacts): AttentionItem[] {
  const { deliveries, webhooks, plannedCalls, indexing } = figures;
  const alive = nodes.filter(({ isAlive }) => isAlive);
  const versions = new Set(alive.flatMap((node) => node.versions)).size;
  const isBackupOld = lastBackup !== null && nowMs - Date.parse(lastBackup.finishedAt) > backupOldMs;
  const counts: Record<AttentionKind, number> = {
    nodeSilent: nodes.length - alive.length,
    versionsDiffer: versions > 1 ? versions : 0,
    migrationsPending,
    indexBuilding: Number(indexing.isBuilding),
    indexingBehind:
      !indexing.isBuilding && indexing.secondsBehind > indexingBehindSeconds ? indexing.changesBehind : 0,
    messagesParked: deliveries.parked,
    messagesDelayed: figures.oldestDueDeliverySeconds > delayedSeconds ? deliveries.waiting : 0,
    webhooksDisabled: webhooks.disabled,
    webhooksFailing: webhooks.failing,
    scimTargetsStopped: figures.scimTargets.stopped,
    scimTargetsFailing: figures.scimTargets.failing,
    callsDelayed: figures.oldestDueCallSeconds > delayedSeconds ? plannedCalls.planned : 0,
    callsNeedTakeover: plannedCalls.awaitingTakeover,
    callsNeedApproval: plannedCalls.awaitingApproval,
    feedsWaiting: figures.feeds.waiting,
    feedsFailed: figures.feeds.failed,
    feedsDelayed: Number(figures.oldestDueFeedSeconds > delayedSeconds),
    // PostgreSQL usually has backups that Rollcall doesn't know of.
    noBackup: Number(lastBackup === null && engine === 'embedded'),
    backupOld: Number(isBackupOld),
  };
  return (Object.entries(counts) as [AttentionKind, number][])
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => ({ kind, count }));
}
