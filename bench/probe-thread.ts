/**
 * Requests /healthz repeatedly from its own thread and keeps the longest response time: how long others have to wait
 * while the service is busy.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { LightClient } from './light-client.js';

const pauseMs = 5;

/** Resolves after the first response. The returned function stops the thread and resolves to the longest wait in ms. */
export async function startProbe(url: string): Promise<() => Promise<number>> {
  const worker = new Worker(new URL(import.meta.url), { workerData: url, execArgv: [] });
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  failed.catch(() => {}); // reported to the caller that stops it
  const message = () => new Promise<number>((resolve) => worker.once('message', resolve));
  await Promise.race([message(), failed]);
  return () => {
    const longest = message();
    worker.postMessage('stop');
    return Promise.race([longest, failed]);
  };
}

async function run(url: string): Promise<void> {
  let stopped = false;
  parentPort?.once('message', () => {
    stopped = true;
  });
  const client = await LightClient.open(url);
  const ask = async () => {
    const start = performance.now();
    const { status } = await client.get('/healthz', '');
    if (status !== 200) throw new Error(`/healthz returned ${status}`);
    return performance.now() - start;
  };
  await ask();
  parentPort?.postMessage(0);
  let longest = 0;
  while (!stopped) {
    longest = Math.max(longest, await ask());
    await pause(pauseMs);
  }
  client.close();
  parentPort?.postMessage(longest);
}

if (parentPort) await run(workerData as string);
