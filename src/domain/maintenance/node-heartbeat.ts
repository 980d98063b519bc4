import { v7 } from 'uuid';
import { version } from '../../contract/version.js';
import type { Database } from '../../storage/database.js';
import { beat, deleteHeartbeat, type Heartbeat } from '../../storage/maintenance/node-heartbeats.js';

const intervalMs = 20_000;
/** After missing this many in a row, a process counts as gone. */
const missedMax = 3;

export interface HeartbeatWorker {
  stop(): Promise<void>;
}

/** Says every few seconds that this process is alive, for the status of the service. */
export function startHeartbeat(
  { pool }: Database,
  node: { readonly host: string; readonly port: number },
): HeartbeatWorker {
  const process = { id: v7(), version, ...node };
  // During an outage there is nobody to tell, and the next one says the same.
  let beating = beat(pool, process).catch(() => {});
  const timer = setInterval(() => {
    beating = beating.then(() => beat(pool, process)).catch(() => {});
  }, intervalMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await beating;
      await deleteHeartbeat(pool, process.id).catch(() => {});
    },
  };
}

export interface Node {
  /** Host and port. */
  readonly id: string;
  /** More than one while its workers are being replaced by those of another version. */
  readonly versions: readonly string[];
  /** The processes that are alive: one, or as many as there are workers. */
  readonly processes: number;
  readonly startedAt: string;
  readonly lastSeenAt: string;
  readonly isAlive: boolean;
}

/** Processes by node. Those of a node that has been started again since are left out. */
export function nodesOf(heartbeats: readonly Heartbeat[]): Node[] {
  const byNode = new Map<string, Heartbeat[]>();
  for (const each of heartbeats) {
    const id = `${each.host}:${each.port}`;
    byNode.set(id, [...(byNode.get(id) ?? []), each]);
  }
  return [...byNode].map(([id, all]) => {
    const alive = all.filter(({ secondsAgo }) => secondsAgo * 1_000 < intervalMs * missedMax);
    const latest = all.toSorted((a, b) => a.secondsAgo - b.secondsAgo).slice(0, 1);
    const shown = alive.length > 0 ? alive : latest;
    return {
      id,
      versions: [...new Set(shown.map((each) => each.version))].sort(),
      processes: alive.length,
      startedAt: shown.map(({ startedAt }) => startedAt).sort()[0] ?? '',
      lastSeenAt:
        shown
          .map(({ lastSeenAt }) => lastSeenAt)
          .sort()
          .at(-1) ?? '',
      isAlive: alive.length > 0,
    };
  });
}
