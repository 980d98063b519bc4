import { setTimeout as wait } from 'node:timers/promises';
import type { Rollcall } from '#client';
import { createProgress, type Progress } from '../terminal/progress.js';

const pollEveryMs = 500;

interface RunningCall {
  readonly rollcall: Rollcall;
  /** By which the service finds the call: its ID comes only with the response. */
  readonly requestId: string;
  readonly total: number;
}

/** Shows how far a bulk call is until it ends. */
export async function withCallProgress<T>(call: Promise<T>, running: RunningCall): Promise<T> {
  const total = { count: running.total, isExact: true };
  const progress = createProgress({ doing: 'Updating', total, unit: 'users' });
  const ended = new AbortController();
  void poll(running, progress, ended.signal);
  try {
    return await call;
  } finally {
    ended.abort();
    progress.end();
  }
}

async function poll({ rollcall, requestId }: RunningCall, progress: Progress, signal: AbortSignal) {
  const query = { requestId, limit: 1 };
  try {
    for (;;) {
      await wait(pollEveryMs, undefined, { signal });
      const { body } = await rollcall.call('listCalls', { query, signal, retry: false });
      const [call] = body.data.items;
      if (call) progress.at(call.succeeded + call.failed);
    }
  } catch {
    // The call has ended, or its progress is unknown, for example without users:read.
  }
}
