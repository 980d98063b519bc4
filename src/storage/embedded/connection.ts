import { Duplex } from 'node:stream';
import type { Worker } from 'node:worker_threads';

/** What pg needs of a socket. */
export type ThreadConnection = Duplex & { connect(): void };

/** Connections to the thread of the embedded database, one after the other. */
export interface ThreadConnections {
  open(): ThreadConnection;
  /** Resolves once no thread is left. */
  closed(): Promise<void>;
}

/**
 * PGlite is one session, so a connection is a thread: a thread that dies is a connection that broke, and the pool's next
 * connection is a new thread, which recovers from the disk what was committed.
 */
export function threadConnections(
  startThread: () => Worker,
  onBroken: (reason: string) => void,
): ThreadConnections {
  let closed = Promise.resolve();
  return {
    open: () => {
      // Two threads on one directory would destroy it, so the last has to be gone before the next starts.
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
    // Chunks of pg can be constants or parts of a larger buffer, which cannot be given away: they are copied once.
    const bytes = gather(chunks);
    thread?.postMessage(bytes, [bytes.buffer]);
  };
  const stream = new Duplex({
    read: () => {}, // The thread answers when it is asked, and as much as it was asked for.
    write: (chunk: Buffer, _encoding, done) => {
      send([chunk]);
      done();
    },
    writev: (writes, done) => {
      send(writes.map(({ chunk }) => chunk));
      done();
    },
    // Also when a query still runs: to the directory it is as if the process had been killed, and nothing is lost.
    destroy: (error, done) => void (thread?.terminate() ?? lastClosed).then(() => done(error)),
  });
  const connect = async () => {
    await lastClosed;
    if (!stream.writable) return void stream.destroy(); // given up while it waited
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

/** The file system of PGlite throws objects that are no errors and have no message, such as `{ name, errno }`. */
export function failureReason(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const { message, name, errno } = thrown as { message?: string; name?: string; errno?: number };
  if (message) return message;
  return errno === undefined ? (name ?? 'unknown error') : `${name ?? 'error'} ${errno}`;
}

/** The code is what a socket says when the server at its other end is gone. */
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
