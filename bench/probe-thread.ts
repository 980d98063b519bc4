/**
 * Sends the same kind of request repeatedly from its own thread and keeps how long each took: how long others have to wait
 * while the service is busy.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { LightClient } from './light-client.js';

const pauseMs = 5;

/** Reads a path, or creates users. */
export type Probe =
  | { readonly url: string; readonly token: string; readonly path: string }
  | { readonly url: string; readonly token: string; readonly creates: string };

/** Resolves after the first response. The returned function stops the thread and resolves to the times in ms, sorted. */
export async function startProbe(probe: Probe): Promise<() => Promise<readonly number[]>> {
  const worker = new Worker(new URL(import.meta.url), { workerData: probe, execArgv: [] });
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  failed.catch(() => {}); // reported to the caller that stops it
  const message = () => new Promise<readonly number[]>((resolve) => worker.once('message', resolve));
  await Promise.race([message(), failed]);
  return () => {
    const times = message();
    worker.postMessage('stop');
    return Promise.race([times, failed]);
  };
}

async function run(probe: Probe): Promise<void> {
  let stopped = false;
  parentPort?.once('message', () => {
    stopped = true;
  });
  const client = await LightClient.open(probe.url);
  let asked = 0;
  const ask = async () => {
    const start = performance.now();
    const { status, text } =
      'path' in probe
        ? await client.get(probe.path, probe.token)
        : await client.post('/service/users', newUser(`${probe.creates}${++asked}`), probe.token);
    if (status >= 300) throw new Error(`a probe returned ${status}: ${text}`);
    return performance.now() - start;
  };
  await ask();
  parentPort?.postMessage([]);
  const times: number[] = [];
  while (!stopped) {
    times.push(await ask());
    await pause(pauseMs);
  }
  client.close();
  parentPort?.postMessage(times.sort((a, b) => a - b));
}

function newUser(employeeID: string): string {
  const name = 'Margaret Hamilton';
  return JSON.stringify({ employeeID, name, email: `${employeeID}@example.com`, isActive: true });
}

if (parentPort) await run(workerData as Probe);
