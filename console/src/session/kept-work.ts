import { getSession } from './session.js';
import { workDatabase } from './signed-out.js';

/**
 * Work that is not finished survives a reload in the browser of its user, and nowhere else: until it is finished, the
 * user signs out, somebody else signs in, or a day has passed.
 */
export interface KeptWork {
  readonly id: string;
  /** The serial of the user. */
  readonly owner: string;
  /** In milliseconds since 1970. */
  readonly keptAt: number;
  readonly content: unknown;
}

const keptMs = 24 * 60 * 60_000;
const stores = ['work', 'files'] as const;

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(workDatabase, 1);
    request.onupgradeneeded = () => {
      for (const store of stores) request.result.createObjectStore(store);
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const database = request.result;
      // Another tab deletes it because the user has signed out there.
      database.onversionchange = () => {
        database.close();
        opened = undefined;
      };
      resolve(database);
    };
  });
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

async function inTransaction<T>(
  mode: IDBTransactionMode,
  act: (work: IDBObjectStore, files: IDBObjectStore) => IDBRequest<T> | undefined,
): Promise<T | undefined> {
  const transaction = (await open()).transaction(stores, mode);
  return new Promise((resolve, reject) => {
    const request = act(transaction.objectStore('work'), transaction.objectStore('files'));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** The file is large, so it is written only when it is another one. */
export async function keepWork(work: KeptWork, file?: Blob | string): Promise<void> {
  await inTransaction('readwrite', (works, files) => {
    if (file !== undefined) files.put(file, work.id);
    works.put(work, work.id);
    return undefined;
  });
}

/** The work of the user, newest first. That of others, or from yesterday, is deleted. */
export async function workOf(owner: string): Promise<readonly KeptWork[]> {
  const all: readonly KeptWork[] = (await inTransaction('readonly', (works) => works.getAll())) ?? [];
  const isCurrent = (work: KeptWork) => work.owner === owner && Date.now() - work.keptAt < keptMs;
  for (const work of all) if (!isCurrent(work)) await forgetWork(work.id);
  return all.filter(isCurrent).sort((one, other) => other.keptAt - one.keptAt);
}

export async function fileOf(id: string): Promise<Blob | string | undefined> {
  return inTransaction('readonly', (_, files) => files.get(id));
}

export async function forgetWork(id: string): Promise<void> {
  await inTransaction('readwrite', (works, files) => {
    works.delete(id);
    files.delete(id);
    return undefined;
  });
}

/** Whenever the console is opened: also if nobody looks at the page that the work is for. */
export async function forgetExpiredWork(): Promise<void> {
  const session = getSession();
  const databases = (await globalThis.indexedDB?.databases?.()) ?? [];
  if (session.kind === 'none' || !databases.some((database) => database.name === workDatabase)) return;
  await workOf(session.session.serial);
}
