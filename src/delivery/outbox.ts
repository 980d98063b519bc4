import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DeliveryFailed, shownCode } from './message.js';

export interface OutboxFile {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly ending: 'eml' | 'sms.json';
  readonly content: string | Buffer;
}

/** Where messages are put as files, for an installation that has nobody yet to hand them to. */
export interface Outbox {
  /** Resolves when the file is on the disk; every failure is a DeliveryFailed. */
  write(file: OutboxFile): Promise<void>;
}

/** The directory is made when the first message is written. */
export function createOutbox(directory: string): Outbox {
  return {
    async write({ deliveryId, attempt, ending, content }) {
      const name = `${compactTime(new Date())}-${deliveryId}-${attempt}.${ending}`;
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await writeWhole(directory, name, content);
      } catch (error) {
        throw new DeliveryFailed(
          `The outbox ${directory} cannot be written${shownCode((error as NodeJS.ErrnoException).code)}.`,
        );
      }
    },
  };
}

/** Under its name there is the whole file or none, whoever looks and whenever the machine stops. */
async function writeWhole(directory: string, name: string, content: string | Buffer): Promise<void> {
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

/** The new name is safe only when its directory is. Windows has no such call. */
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
