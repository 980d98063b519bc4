import type { Schemas } from '@rollcall/client';
import type { FactGroup } from '../components/facts.js';
import { formatBytes, formatDateTime, formatDuration, formatNumber } from '../copy/format.js';
import { statusCopy as copy } from '../copy/on-demand-copy.js';

export type ServiceStatus = Schemas['StatusReply']['data'];

/** What waits less than this is being worked on. */
const worthMentioningSeconds = 1;

function waiting(seconds: number): string {
  return seconds < worthMentioningSeconds ? copy.nothingWaits : formatDuration(Math.round(seconds));
}

/** A group whose rows have the texts of the same name. */
function counts<Name extends string>(
  texts: Readonly<Record<Name | 'title', string>>,
  values: Readonly<Record<Name, number>>,
  names: readonly Name[],
): FactGroup['rows'] {
  return names.map((name) => [texts[name], formatNumber(values[name])]);
}

export function statusGroups({ database, queues, lastBackup }: ServiceStatus): FactGroup[] {
  const { messages, webhooks, scimTargets, plannedCalls, feeds, indexing } = queues;
  return [
    {
      title: copy.database.title,
      rows: [
        [copy.database.engine, `${copy.database.engines[database.engine]} ${database.version}`],
        [copy.database.size, formatBytes(database.bytes)],
        [copy.database.migrations, (database.migrations.latest ?? '').replace(/_.*/, '')],
      ],
    },
    { title: copy.backup.title, rows: backupRows(lastBackup) },
    {
      title: copy.messages.title,
      rows: [
        ...counts(copy.messages, messages, ['waiting', 'held', 'dormant', 'parked']),
        [copy.messages.oldest, waiting(messages.oldestDueSeconds)],
      ],
    },
    {
      title: copy.webhooks.title,
      rows: [
        ...counts(copy.webhooks, webhooks, ['active', 'failing', 'disabled', 'paused']),
        [copy.webhooks.oldest, waiting(webhooks.oldestEventSeconds)],
      ],
    },
    {
      title: copy.targets.title,
      rows: counts(copy.targets, scimTargets, ['active', 'failing', 'stopped', 'paused', 'queued', 'failed']),
    },
    {
      title: copy.calls.title,
      rows: counts(copy.calls, plannedCalls, ['planned', 'awaitingApproval', 'awaitingTakeover', 'running']),
    },
    {
      title: copy.feeds.title,
      rows: counts(copy.feeds, feeds, ['waiting', 'failed', 'running', 'paused', 'idle']),
    },
    {
      title: copy.indexing.title,
      rows: [
        [copy.indexing.building, indexing.isBuilding ? copy.indexing.isBuilding : copy.indexing.isComplete],
        [copy.indexing.behind, formatNumber(indexing.changesBehind)],
        [copy.indexing.oldest, waiting(indexing.secondsBehind)],
      ],
    },
  ];
}

function backupRows(backup: ServiceStatus['lastBackup']): FactGroup['rows'] {
  if (backup === null) return [[copy.backup.finished, copy.backup.none]];
  return [
    [copy.backup.finished, formatDateTime(backup.finishedAt)],
    ...(backup.fileName === null ? [] : [[copy.backup.file, backup.fileName] as const]),
    [copy.backup.size, formatBytes(backup.bytes)],
    [copy.backup.users, formatNumber(backup.users)],
    [copy.backup.encrypted, backup.encrypted ? copy.backup.yes : copy.backup.no],
  ];
}
