import type { Schemas } from '#client';
import { counted } from '../terminal/numbers.js';

type Item = Schemas['StatusReply']['data']['attention'][number];

/** What it is, and where to do something about it. */
const texts: Readonly<Record<Item['kind'], (count: number) => string>> = {
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
  webhooksFailing: (count) => `${counted(count, 'webhook')} failing: rollcall webhooks list`,
  callsDelayed: (count) =>
    `${counted(count, 'planned call')} pending, some past their time: rollcall calls list --state planned`,
  callsNeedTakeover: (count) =>
    `${counted(count, 'planned call')} waiting to be taken over: rollcall calls list --state planned`,
  callsNeedApproval: (count) =>
    `${counted(count, 'call')} waiting for approval: rollcall calls list --state awaitingApproval`,
  noBackup: () => 'No backup yet: set up regular backups.',
  backupOld: () => 'The last backup is more than two days old: check the backups.',
};

export function attentionText({ kind, count }: Item): string {
  return texts[kind](count);
}
