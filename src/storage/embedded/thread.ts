import { readFileSync } from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { failureReason } from './connection.js';
import { DurableNodeFS } from './files.js';
import type { EmbeddedCluster } from './open-embedded.js';

/**
 * The thread of the embedded database. In come the bytes that a client sends to a PostgreSQL server, out go the bytes that
 * the server answers. It ends when the client says goodbye, and dies of what it cannot go on from.
 */
const port = parentPort as MessagePort; // This file only ever runs as a thread.
const { cluster, image } = workerData as EmbeddedCluster;

/** PGlite is shipped with fsync off (`-F`). This is somebody's record of people: a power cut must not lose a reply. */
const durableStartParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];

const pglite = new PGlite({
  fs: new DurableNodeFS(cluster),
  startParams: durableStartParams,
  ...(image === undefined ? {} : { loadDataDir: new Blob([readFileSync(image)]) }),
});
await pglite.waitReady;
dieOfTraps();

const goodbye = 'X'.charCodeAt(0);
/** How PGlite leaves a statement that failed in the ordinary way: its POSTGRES_MAIN_LONGJMP. */
const failedStatement = 100;

port.on('message', async (request: Uint8Array) => {
  if (request[0] !== goodbye) {
    await pglite.execProtocolRawStream(request, { onRawData: answer });
    return;
  }
  await pglite.close();
  process.exit(); // PGlite keeps a thread alive on its own account.
});

/** The bytes are a view of PostgreSQL's memory: they are copied here, and then given away. */
function answer(bytes: Uint8Array): void {
  const copy = new Uint8Array(bytes);
  port.postMessage(copy, [copy.buffer]);
}

/**
 * PGlite swallows a trap of WebAssembly and an exit of PostgreSQL, and answers as if the statement had been done. What is in
 * memory cannot be trusted after one; what is on the disk can, and the next thread recovers it.
 */
function dieOfTraps(): void {
  const { Module } = pglite;
  const runOnce = Module._PostgresMainLoopOnce;
  Module._PostgresMainLoopOnce = () => {
    try {
      runOnce();
    } catch (error) {
      if ((error as { status?: number }).status === failedStatement) throw error;
      port.postMessage(failureReason(error));
      process.exit(1);
    }
  };
}
