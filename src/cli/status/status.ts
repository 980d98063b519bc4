import type { Schemas } from '#client';
import { type JsonOption, print, printJson, printRecord } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { formatTime } from '../terminal/format-time.js';
import { count, counted, duration, size } from '../terminal/numbers.js';
import { out } from '../terminal/style.js';
import { table } from '../terminal/table.js';

type Status = Schemas['StatusReply']['data'];

/** `rollcall status` */
export async function status({ json }: JsonOption): Promise<void> {
  const { data } = (await connectInteractive().call('getStatus')).body;
  if (json) return printJson(data);
  print(table([nodeHeadings, ...data.nodes.map(nodeRow)]));
  print('');
  printRecord(data, {}, () => [
    ['database', databaseText(data.database)],
    ...queueTexts(data.queues),
    ['indexing', indexingText(data.queues.indexing)],
    ['last backup', backupText(data.lastBackup)],
  ]);
  print('');
  if (data.attention.length === 0) print('Nothing needs attention.');
  else print(out.bold('Needs attention'));
  for (const item of data.attention) print(`  ${attentionText(item)}`);
}

const nodeHeadings = ['NODE', 'STATE', 'VERSION', 'PROCESSES', 'STARTED', 'LAST SEEN'];

function nodeRow(node: Status['nodes'][number]): string[] {
  return [
    node.id,
    node.isAlive ? 'running' : 'not seen',
    node.versions.join(', '),
    String(node.processes),
    formatTime(node.startedAt),
    formatTime(node.lastSeenAt),
  ];
}

type AttentionItem = Status['attention'][number];

/** What it is, and where to do something about it. */
const attentionTexts: Readonly<Record<AttentionItem['kind'], (count: number) => string>> = {
  nodeSilent: (count) =>
    `${counted(count, 'node')} not seen for more than a minute: check that it runs and reaches the database.`,
  versionsDiffer: (count) => `Nodes run ${count} versions: finish the upgrade.`,
  migrationsPending: (count) => `${counted(count, 'migration')} pending: run rollcall migrate.`,
  indexBuilding: () => 'The index is being rebuilt: searches wait until it is complete.',
  indexingBehind: (count) => `${counted(count, 'change')} not indexed for more than a minute: check the log.`,
  messagesParked: (count) => `${counted(count, 'message')} failed: rollcall deliveries list --state parked`,
  messagesDelayed: (count) =>
    `${counted(count, 'message')} waiting, some for more than 5 minutes: rollcall deliveries list --state waiting`,
  webhooksDisabled: (count) =>
    `${counted(count, 'webhook')} disabled after failing for too long: rollcall webhooks list`,
  scimTargetsStopped: (count) =>
    `${counted(count, 'SCIM target')} paused after failing for too long: rollcall scim targets list`,
  scimTargetsFailing: (count) => `${counted(count, 'SCIM target')} failing: rollcall scim targets list`,
  webhooksFailing: (count) => `${counted(count, 'webhook')} failing: rollcall webhooks list`,
  callsDelayed: (count) =>
    `${counted(count, 'planned call')} pending, some past their time: rollcall calls list --state planned`,
  callsNeedTakeover: (count) =>
    `${counted(count, 'planned call')} waiting to be taken over: rollcall calls list --state planned`,
  callsNeedApproval: (count) =>
    `${counted(count, 'call')} waiting for approval: rollcall calls list --state awaitingApproval`,
  feedsWaiting: (count) => `${counted(count, 'feed')} waiting for approval: rollcall feeds list`,
  feedsFailed: (count) => `${counted(count, 'feed')} failed or stopped: rollcall feeds list`,
  feedsDelayed: () =>
    'A feed has been due for more than 5 minutes: check ROLLCALL_FEEDS_AT_ONCE and the log.',
  noBackup: () => 'No backup yet: set up regular backups.',
  backupOld: () => 'The last backup is more than two days old: check the backups.',
};

function attentionText({ kind, count }: AttentionItem): string {
  return attentionTexts[kind](count);
}

const engines = { embedded: 'embedded PostgreSQL', postgres: 'PostgreSQL' };

function databaseText({ engine, version, bytes, migrations }: Status['database']): string {
  const schema = `schema ${migrations.latest ?? 'none'}`;
  const pending = migrations.pending > 0 ? `, ${counted(migrations.pending, 'migration')} pending` : '';
  return `${engines[engine]} ${version}, ${size(bytes)}, ${schema}${pending}`;
}

function queueTexts({
  messages,
  webhooks,
  scimTargets,
  plannedCalls,
  feeds,
}: Status['queues']): [string, string][] {
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
      'SCIM targets',
      listed(
        {
          active: scimTargets.active,
          failing: scimTargets.failing,
          'paused by the service': scimTargets.stopped,
          paused: scimTargets.paused,
          queued: scimTargets.queued,
          failed: scimTargets.failed,
        },
        '',
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
    [
      'feeds',
      listed(
        {
          'awaiting approval': feeds.waiting,
          failed: feeds.failed,
          running: feeds.running,
          paused: feeds.paused,
          idle: feeds.idle,
        },
        waited(feeds.oldestDueSeconds, 'the first due for'),
      ),
    ],
  ];
}

function indexingText({ isBuilding, changesBehind, secondsBehind }: Status['queues']['indexing']): string {
  if (isBuilding) return 'the index is being rebuilt';
  if (changesBehind === 0) return 'up to date';
  return `${counted(changesBehind, 'change')} behind${waited(secondsBehind, ', for')}`;
}

function backupText(backup: Status['lastBackup']): string {
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
