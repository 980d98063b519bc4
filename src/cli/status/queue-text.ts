import type { Schemas } from '#client';
import { formatTime } from '../terminal/format-time.js';
import { count, counted, duration, size } from '../terminal/numbers.js';

type Status = Schemas['StatusReply']['data'];

const engines = { embedded: 'embedded PostgreSQL', postgres: 'PostgreSQL' };

export function databaseText({ engine, version, bytes, migrations }: Status['database']): string {
  const schema = `schema ${migrations.latest ?? 'none'}`;
  const pending = migrations.pending > 0 ? `, ${counted(migrations.pending, 'migration')} pending` : '';
  return `${engines[engine]} ${version}, ${size(bytes)}, ${schema}${pending}`;
}

export function queueTexts({ messages, webhooks, plannedCalls }: Status['queues']): [string, string][] {
  return [
    [
      'messages',
      listed(
        {
          waiting: messages.waiting,
          held: messages.held,
          dormant: messages.dormant,
          failed: messages.parked,
        },
        waited(messages.oldestDueSeconds, 'the first due for'),
      ),
    ],
    [
      'webhooks',
      listed(
        {
          active: webhooks.active,
          failing: webhooks.failing,
          disabled: webhooks.disabled,
          'turned off': webhooks.paused,
        },
        waited(webhooks.oldestEventSeconds, 'the oldest event waits for'),
      ),
    ],
    [
      'planned calls',
      listed(
        {
          planned: plannedCalls.planned,
          'awaiting approval': plannedCalls.awaitingApproval,
          'awaiting takeover': plannedCalls.awaitingTakeover,
          running: plannedCalls.running,
        },
        waited(plannedCalls.oldestDueSeconds, 'the first due for'),
      ),
    ],
  ];
}

export function indexingText({
  isBuilding,
  changesBehind,
  secondsBehind,
}: Status['queues']['indexing']): string {
  if (isBuilding) return 'the index is being rebuilt';
  if (changesBehind === 0) return 'up to date';
  return `${counted(changesBehind, 'change')} behind${waited(secondsBehind, ', for')}`;
}

export function backupText(backup: Status['lastBackup']): string {
  if (backup === null) return 'no backup yet';
  const { finishedAt, fileName, bytes, users, encrypted } = backup;
  const what = `${size(bytes)}, ${counted(users, 'user')}`;
  // Whoever downloads a backup may encrypt it.
  if (fileName === null) return `${formatTime(finishedAt)}, downloaded, ${what}`;
  return `${formatTime(finishedAt)}, ${fileName}, ${what}, ${encrypted ? 'encrypted' : 'not encrypted'}`;
}

function listed(counts: Readonly<Record<string, number>>, also: string): string {
  const some = Object.entries(counts).filter(([, number]) => number > 0);
  if (some.length === 0) return 'none';
  const text = some.map(([name, number]) => `${count(number)} ${name}`).join(', ');
  return also === '' ? text : `${text}; ${also}`;
}

/** What waits for less than a second is being worked on. */
function waited(seconds: number, words: string): string {
  return seconds < 1 ? '' : `${words} ${duration(seconds * 1_000)}`;
}
