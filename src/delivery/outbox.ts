import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeText, DeliveryFailed } from './message.js';

export interface OutboxFile {
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
        throw new DeliveryFailed(
          `Cannot write to the outbox ${directory}${codeText((error as NodeJS.ErrnoException).code)}.`,
        );
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
