import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { failureReason } from './connection.js';
import { fatalReason } from './damage.js';
import { DurableNodeFS, unpackImage } from './durable-files.js';
import type { EmbeddedCluster } from './open-embedded.js';

/**
 * The thread of the embedded database. It receives the bytes that a client sends to a PostgreSQL server and returns the
 * server's answers. It ends when the client disconnects, and exits on errors it cannot recover from.
 */
const port = parentPort as MessagePort; // this file only runs as a thread
const { cluster, image } = workerData as EmbeddedCluster;

/** PGlite runs with fsync off (`-F`) by default. Rollcall must not lose an acknowledged change in a power cut. */
const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...['-c', 'wal_sync_method=fsync'],
];

/** Names the file, where the error of the WebAssembly module would only say that PostgreSQL has ended. */
let lastFatal: string | undefined;

if (image !== undefined) unpackImage(image, cluster);
const pglite = new PGlite({
  fs: new DurableNodeFS(cluster),
  extensions: { pg_trgm },
  onStderr: (line) => {
    lastFatal = fatalReason(line) ?? lastFatal;
    return false;
  },
  startParams,
});
await pglite.waitReady.catch((error: unknown) => endThread(error));
exitOnTrap();

const goodbye = 'X'.charCodeAt(0);
/** The exit code of PGlite for a statement that failed in the ordinary way (its POSTGRES_MAIN_LONGJMP). */
const failedStatement = 100;

port.on('message', async (request: Uint8Array) => {
  if (request[0] !== goodbye) {
    await pglite.execProtocolRawStream(request, { onRawData: answer });
    return;
  }
  await pglite.close();
  process.exit(); // PGlite would keep the thread alive
});

/** The bytes are a view of PostgreSQL's memory, so they are copied before they are transferred. */
function answer(bytes: Uint8Array): void {
  const copy = new Uint8Array(bytes);
  port.postMessage(copy, [copy.buffer]);
}

function endThread(error: unknown): never {
  port.postMessage(lastFatal ?? failureReason(error));
  process.exit(1);
}

/**
 * PGlite swallows WebAssembly traps and exits of PostgreSQL, and answers as if the statement had succeeded. After one,
 * memory cannot be trusted. The disk can, and the next thread recovers from it.
 */
function exitOnTrap(): void {
  const { Module } = pglite;
  const runOnce = Module._PostgresMainLoopOnce;
  Module._PostgresMainLoopOnce = () => {
    try {
      runOnce();
    } catch (error) {
      if ((error as { status?: number }).status === failedStatement) throw error;
      endThread(error);
    }
  };
}
