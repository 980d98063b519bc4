import { Duplex } from 'node:stream';
import type { Worker } from 'node:worker_threads';

/** What pg needs of a socket. */
export type ThreadConnection = Duplex & { connect(): void };

/** Consecutive connections to the thread of the embedded database. */
export interface ThreadConnections {
  open(): ThreadConnection;
  /** Resolves once no thread is left. */
  closed(): Promise<void>;
}

/**
 * PGlite is a single session, so each connection is a thread. A thread that dies is a broken connection, and the pool's
 * next connection starts a new thread, which recovers what was committed from the disk.
 */
export function threadConnections(
  startThread: () => Worker,
  onBroken: (reason: string) => void,
): ThreadConnections {
  let closed = Promise.resolve();
  return {
    open: () => {
      // Two threads on one directory would destroy it, so the last one has to end before the next starts.
      const connection = threadConnection(startThread, closed);
      connection.once('error', ({ message }) => onBroken(message));
      closed = new Promise((resolve) => connection.once('close', resolve));
      return connection;
    },
    closed: () => closed,
  };
}

function threadConnection(startThread: () => Worker, lastClosed: Promise<void>): ThreadConnection {
  let thread: Worker | undefined;
  const send = (chunks: readonly Uint8Array[]) => {
    // Chunks from pg can be constants or slices of a larger buffer, which cannot be transferred, so they are copied
    // once.
    const bytes = gather(chunks);
    thread?.postMessage(bytes, [bytes.buffer]);
  };
  const stream = new Duplex({
    read: () => {}, // the thread only answers requests
    write: (chunk: Buffer, _encoding, done) => {
      send([chunk]);
      done();
    },
    writev: (writes, done) => {
      send(writes.map(({ chunk }) => chunk));
      done();
    },
    // Also while a query runs: for the directory this is like killing the process, and nothing committed is lost.
    destroy: (error, done) => void (thread?.terminate() ?? lastClosed).then(() => done(error)),
  });
  const connect = async () => {
    await lastClosed;
    if (!stream.writable) return void stream.destroy(); // closed while waiting
    try {
      thread = startThread();
      listen(thread, stream);
      stream.emit('connect');
    } catch (error) {
      stream.destroy(error as Error);
    }
  };
  return Object.assign(stream, {
    connect: () => void connect(),
    setNoDelay: () => {},
    ref: () => {},
    unref: () => {},
  });
}

function listen(thread: Worker, stream: Duplex): void {
  let reason = 'its thread ended';
  thread.on('message', (message: Uint8Array | string) => {
    if (typeof message === 'string') reason = message;
    else stream.push(message);
  });
  thread.on('error', (error) => {
    reason = failureReason(error);
  });
  thread.on('exit', () => stream.destroy(stream.writableEnded ? undefined : brokenConnection(reason)));
}

/** PGlite's file system throws objects that are not errors and have no message, such as `{ name, errno }`. */
export function failureReason(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const { message, name, errno } = thrown as { message?: string; name?: string; errno?: number };
  if (message) return message;
  return errno === undefined ? (name ?? 'unknown error') : `${name ?? 'error'} ${errno}`;
}

/** Uses the code of a socket whose server is gone. */
function brokenConnection(reason: string): Error {
  return Object.assign(new Error(reason), { code: 'ECONNRESET' });
}

function gather(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
