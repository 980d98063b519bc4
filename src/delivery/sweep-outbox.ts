import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Executor } from '../storage/database.js';
import { messagesOfErased } from '../storage/delivery/deliveries.js';
import { anyErasedSince } from '../storage/erasure/erased-users.js';

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

const intervalMs = 60_000;
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
  return setInterval(() => void sweep().catch(onError), intervalMs).unref();
}
