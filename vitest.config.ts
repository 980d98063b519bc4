import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { browserOfThisMachine } from './test/support/find-browser.js';
import { nodeFlags } from './test/support/node-flags.js';
import { SlowestFirst } from './test/support/slowest-first.js';

/** What opens or queries the database, and one journey per operation. Everything else runs on PostgreSQL only. */
const bothEngines = [
  'test/storage/**/*.test.ts',
  'test/cli/service/**/*.test.ts',
  'test/journeys/**/*.test.ts',
];
/** Guards against tests that hang, not slow ones: generous enough for a machine that is ten times as busy. */
const hangMs = Number(process.env.ROLLCALL_TEST_TIMEOUT_MS ?? 600_000);
const builtFiles = 'test/support/built-files.ts';
const emptyDatabase = 'test/support/empty-database.ts';
const postgresServer = 'test/support/postgres-server.ts';

const shared = {
  /** The test files of a worker share modules and, through them, one service. Starting services took most of the time. */
  setupFiles: ['test/support/setup-costs.ts'],
  isolate: false,
  execArgv: [...nodeFlags],
  testTimeout: hangMs,
  hookTimeout: hangMs,
  teardownTimeout: 120_000,
  expect: { poll: { timeout: hangMs / 2 } },
};

export default defineConfig({
  test: {
    // At almost any time, half of the tests wait for a disk, a lease or a retry.
    maxWorkers: availableParallelism() * 2,
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', './test/support/cost-reporter.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          globalSetup: [builtFiles],
          setupFiles: [...shared.setupFiles, 'test/support/english.ts'], // for the console
        },
      },
      {
        test: {
          ...shared,
          name: 'embedded',
          include: bothEngines,
          provide: { engine: 'embedded' },
          globalSetup: [builtFiles, emptyDatabase],
        },
      },
      {
        test: {
          ...shared,
          name: 'postgres',
          include: [...bothEngines, 'test/http/**/*.test.ts', 'test/cli/**/*.test.ts'],
          provide: { engine: 'postgres' },
          globalSetup: [builtFiles, emptyDatabase, postgresServer],
        },
      },
      {
        test: {
          ...shared,
          // One project, because the first mostly wait and the others mostly compute.
          name: 'system',
          include: ['test/reliability/**/*.test.ts', 'test/browser/**/*.test.ts'],
          exclude: browserOfThisMachine().kind === 'none' ? ['test/browser/**'] : [],
          provide: { engine: 'postgres' },
          globalSetup: [builtFiles, emptyDatabase, postgresServer, 'test/support/browser-setup.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'release',
          include: ['test/release/**/*.test.ts'],
          provide: { engine: 'postgres' },
          globalSetup: [builtFiles, emptyDatabase, postgresServer],
        },
      },
    ],
  },
});
