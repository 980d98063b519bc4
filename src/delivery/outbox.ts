import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Executor } from '../storage/database.js';
import { messagesOfErased } from '../storage/delivery/deliveries.js';
import { anyErasedSince } from '../storage/erasure/erased-users.js';
import { DeliveryFailed } from './message.js';

interface OutboxFile {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly extension: 'eml' | 'sms.json';
  readonly content: string | Buffer;
}

/** Stores messages as files if no mail server or SMS gateway is configured. */
export interface Outbox {
  /** Resolves once the file is on disk; every failure is a DeliveryFailed. */
  write(file: OutboxFile): Promise<void>;
}

/** Creates the directory with the first message. */
export function createOutbox(directory: string): Outbox {
  return {
    async write({ deliveryId, attempt, extension, content }) {
      const name = `${compactTime(new Date())}-${deliveryId}-${attempt}.${extension}`;
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await writeAtomically(directory, name, content);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw new DeliveryFailed('outboxFailed', { code, place: directory });
      }
    },
  };
}

/** Writes atomically: readers see the whole file or none, even after a crash. */
async function writeAtomically(directory: string, name: string, content: string | Buffer): Promise<void> {
  const temporary = join(directory, `.${name}.unfinished`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(directory, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(directory);
}

/** Makes the new name durable. Windows has no such call. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** "20261122T083000.123Z": names sort by time. */
function compactTime(time: Date): string {
  return time.toISOString().replace(/[-:]/g, '');
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** As the outbox names its files, including those that it is writing. */
const fileName = new RegExp(`^\\.?(\\d{8})T[\\d.]+Z-(${uuid})-\\d+\\.`);
const filesAtOnce = 1_000;

/** Deletes the files of messages to users who were erased, and files from before a time. */
export async function sweepOutbox(executor: Executor, directory: string, before: Date): Promise<void> {
  const names = await readdir(directory).catch(() => []); // created with the first message
  const oldestDay = before.toISOString().slice(0, 10).replaceAll('-', '');
  for (let at = 0; at < names.length; at += filesAtOnce) {
    const files = names.slice(at, at + filesAtOnce).flatMap((name) => {
      const [, day = '', id = ''] = fileName.exec(name) ?? [];
      return id === '' ? [] : { name, day, id };
    });
    const erased = new Set(
      await messagesOfErased(
        executor,
        files.map(({ id }) => id),
      ),
    );
    for (const { name, day, id } of files) {
      if (day < oldestDay || erased.has(id)) await rm(join(directory, name), { force: true });
    }
  }
}

const sweepIntervalMs = 60_000;

/** A message that was being sent when its user was erased may be written this much later. */
const lateMs = 600_000;

/** Deletes the messages of erased users soon after. Every node has an outbox of its own. */
export function startSweepingOutbox(
  executor: Executor,
  directory: string,
  onError: (error: unknown) => void,
): NodeJS.Timeout {
  let sweptTo = new Date(0);
  const sweep = async () => {
    const start = new Date();
    if (!(await anyErasedSince(executor, new Date(sweptTo.getTime() - lateMs)))) return;
    await sweepOutbox(executor, directory, new Date(0));
    sweptTo = start;
  };
  return setInterval(() => void sweep().catch(onError), sweepIntervalMs).unref();
}
