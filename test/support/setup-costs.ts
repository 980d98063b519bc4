import { afterAll, beforeAll } from 'vitest';

/** What tests wait for before they can test anything. */
export type SetUp =
  | 'start service'
  | 'copy database'
  | 'start browser'
  | 'open page'
  | 'spawn command'
  | 'spawn service';

export interface FileCosts {
  /** Processor time of the worker, including its threads but not its child processes. */
  readonly cpuMs: number;
  readonly setUps: Partial<Record<SetUp, { count: number; ms: number }>>;
}

declare module 'vitest' {
  interface TaskMeta {
    costs?: FileCosts;
  }
}

/** Vitest loads this file again for each test file, but the files that call `timed` only once per worker. */
const worker = globalThis as { rollcallCosts?: FileCosts };

/** Adds the time until `work` is done to the costs of the current test file. */
export async function timed<T>(setUp: SetUp, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  try {
    return await work();
  } finally {
    const setUps = worker.rollcallCosts?.setUps ?? {};
    const { count, ms } = setUps[setUp] ?? { count: 0, ms: 0 };
    setUps[setUp] = { count: count + 1, ms: ms + performance.now() - begin };
  }
}

let cpuBefore = process.cpuUsage();

beforeAll(() => {
  worker.rollcallCosts = { cpuMs: 0, setUps: {} };
  cpuBefore = process.cpuUsage();
});

// biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern here
afterAll(({}, file) => {
  const { user, system } = process.cpuUsage(cpuBefore);
  file.meta.costs = { cpuMs: (user + system) / 1000, setUps: worker.rollcallCosts?.setUps ?? {} };
});
