import { closeSync, fsyncSync, openSync } from 'node:fs';

/** The names of the entries that Rollcall keeps in its data directory. Anything else there is not its own. */
export const dataDirNames = {
  cluster: 'postgres',
  initialisedMark: 'postgres.initialised',
  fileList: 'postgres.files',
  lock: 'lock.sock',
  lockTakeover: 'lock.takeover',
  secretKey: 'secret.key',
  firstCredentials: 'first-credentials.json',
  outbox: 'outbox',
  restoring: 'restoring',
  moving: 'moving',
} as const;

/** What a service keeps there even if its database is a PostgreSQL server. */
export const namesBesidePostgres: readonly string[] = [
  dataDirNames.secretKey,
  dataDirNames.firstCredentials,
  dataDirNames.outbox,
];

export function incompleteCluster(time: number): string {
  return `${dataDirNames.cluster}.incomplete-${time}`;
}

export function secretKeyDraft(processId: number): string {
  return `${dataDirNames.secretKey}.${processId}`;
}

/** Where a backup of the embedded database waits to be sent. */
export function backupSpool(id: string): string {
  return `backup.${id}`;
}

const ownNames: ReadonlySet<string> = new Set(Object.values(dataDirNames));
const ownPattern = /^(?:postgres\.incomplete-\d+|secret\.key\.\d+|backup\.[0-9a-f-]{36})$/;

export function isOwnEntry(name: string): boolean {
  return ownNames.has(name) || ownPattern.test(name);
}

/** A new or renamed file is durable only once its directory is synced. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return; // Windows has no directory handles to sync
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
