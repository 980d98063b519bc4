/**
 * Sends bulk calls back to back from its own thread, so that the load does not disturb measurements in the main thread.
 * When told to stop, it finishes the current call first.
 */
import { request } from 'node:http';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { Service } from './service.js';

interface Load {
  readonly url: string;
  readonly token: string;
  /** Repeated from the first once all were sent. */
  readonly bodies: readonly string[];
}

export interface RunningLoad {
  /** Resolves to the number of calls answered. */
  stop(): Promise<number>;
}

/** Resolves once the first call has been sent. */
export async function startBulkLoad(service: Service, bodies: readonly string[]): Promise<RunningLoad> {
  const load: Load = { url: `${service.url}/service/users/update-bulk`, token: service.token, bodies };
  const worker = new Worker(new URL(import.meta.url), { workerData: load, execArgv: [] });
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  failed.catch(() => {}); // reported to the caller that waits for the load
  const message = () => new Promise<number>((resolve) => worker.once('message', resolve));
  await Promise.race([message(), failed]);
  return {
    stop: async () => {
      const answered = message();
      worker.postMessage('stop');
      return Promise.race([answered, failed]);
    },
  };
}

async function run({ url, token, bodies }: Load): Promise<void> {
  let stopped = false;
  parentPort?.once('message', () => {
    stopped = true;
  });
  parentPort?.postMessage(0);
  let answered = 0;
  for (; !stopped; answered++) await post(url, token, bodies[answered % bodies.length] ?? '');
  parentPort?.postMessage(answered);
}

function post(url: string, token: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.on('error', reject).on('end', resolve).resume();
      if (response.statusCode !== 200) reject(new Error(`a bulk call returned ${response.statusCode}`));
    });
    sent.on('error', reject).end(body);
  });
}

if (parentPort) await run(workerData as Load);
