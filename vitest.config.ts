import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { browserOfThisMachine } from './test/support/find-browser.js';
import { nodeFlags } from './test/support/node-flags.js';
import { SlowestFirst } from './test/support/slowest-first.js';

/**
 * What opens a database or splits its work differently on the embedded one, and one journey per operation. Everything
 * else runs on PostgreSQL only, and tests of queries on the embedded database before a release.
 */
const bothEngines = [
  'test/storage/{backups/*,batched-creations,short-transactions,undo}.test.ts',
  'test/cli/service/**/*.test.ts',
  'test/journeys/**/*.test.ts',
];
/** Guards against tests that hang, not slow ones: generous enough for a machine that is ten times as busy. */
const hangMs = Number(process.env.ROLLCALL_TEST_TIMEOUT_MS ?? 600_000);
const builtFiles = 'test/support/built-files.ts';
const emptyDatabase = 'test/support/empty-database.ts';
const postgresServer = 'test/support/postgres-server.ts';

const sources = join(import.meta.dirname, 'src/');
const built = join(import.meta.dirname, 'dist/');

/** Tests run the service as it is shipped. Node.js loads it in a quarter of the time that Vite takes for its sources. */
const builtService = {
  name: 'built-service',
  enforce: 'pre' as const,
  resolveId(path: string, importer?: string) {
    const file = importer && path.startsWith('.') ? resolve(dirname(importer), path) : path;
    return file.startsWith(sources) ? join(built, file.slice(sources.length)) : null;
  },
};

const shared = {
  /** The test files of a worker share modules and, through them, one service. Starting services took most of the time. */
  setupFiles: ['test/support/setup-costs.ts', 'test/support/property-seed.ts'],
  isolate: false,
  server: { deps: { external: [new RegExp(`^${built}`)] } },
  execArgv: [...nodeFlags],
  testTimeout: hangMs,
  hookTimeout: hangMs,
  teardownTimeout: 120_000,
  expect: { poll: { timeout: hangMs / 2 } },
};

export default defineConfig({
  test: {
    // Two more than cores, because tests of the system wait for a disk, a browser, a lease or a retry most of the time. Each
    // worker starts services of its own.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SlowestFirst },
    tags: [{ name: 'release', description: 'Takes too long for what it adds. Runs before a release.' }],
    reporters: ['default', './test/support/cost-reporter.ts'],
    projects: [
      {
        plugins: [builtService],
        test: {
          ...shared,
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          globalSetup: [builtFiles],
          setupFiles: [...shared.setupFiles, 'test/support/english.ts'], // for the console
        },
      },
      {
        plugins: [builtService],
        test: {
          ...shared,
          name: 'embedded',
          include: bothEngines,
          provide: { engine: 'embedded' },
          globalSetup: [builtFiles, emptyDatabase],
        },
      },
      {
        plugins: [builtService],
        test: {
          ...shared,
          name: 'postgres',
          include: ['test/{storage,journeys,http,cli}/**/*.test.ts'],
          provide: { engine: 'postgres' },
          globalSetup: [builtFiles, emptyDatabase, postgresServer],
        },
      },
      {
        plugins: [builtService],
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
        plugins: [builtService],
        test: {
          ...shared,
          name: 'release',
          include: ['test/release/**/*.test.ts'],
          provide: { engine: 'postgres' },
          globalSetup: [builtFiles, emptyDatabase, postgresServer],
        },
      },
      {
        plugins: [builtService],
        test: {
          ...shared,
          name: 'release-embedded',
          include: ['test/storage/**/*.test.ts'],
          exclude: bothEngines,
          provide: { engine: 'embedded' },
          globalSetup: [builtFiles, emptyDatabase],
        },
      },
    ],
  },
});
