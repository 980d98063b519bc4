import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { nodeFlags } from './test/support/node-flags.js';
import { SlowestFirst } from './test/support/slowest-first.js';

/**
 * Tests of what the database stores run on both engines. Tests that need several connections at once are in
 * test/reliability, on PostgreSQL. Most commands only send HTTP requests, so their tests run on one engine; those in
 * test/cli/service open the database.
 */
const bothEngines = ['test/http/**/*.test.ts', 'test/storage/**/*.test.ts', 'test/cli/service/**/*.test.ts'];
/** About requests, access and messages rather than stored users: one engine is enough. */
const httpOnly = [
  ...[
    ...['client', 'hostile', 'issuers', 'oauth', 'revoke-token', 'token', 'webhooks'],
    ...[
      'access-events',
      'change-password',
      'clients',
      'deliveries',
      'me-and-sign-out',
      'reset-password',
      'roles',
    ],
    ...['protected-users', 'settings', 'sign-in', 'traces', 'user-language'],
  ].map((folder) => `test/http/${folder}/**`),
  'test/http/events/ended.test.ts',
  'test/http/requests/!(disconnected).test.ts',
  'test/http/*/{allowed,body-rejected,envelope,fields-rejected,permissions}.test.ts',
  'test/http/{change-password,list-users,lookup-users,sign-in}/rejected.test.ts',
];
const commands = ['test/cli/**/*.test.ts'];
/** Packing and compiling takes seconds, too slow for the unit tests. */
const packages = ['test/unit/client-package.test.ts'];
const builtFiles = 'test/support/built-files.ts';
const emptyDatabase = 'test/support/empty-database.ts';
const postgresServer = 'test/support/postgres-server.ts';

const shared = {
  /** The test files of a worker share modules and, through them, one service. Starting services took most of the time. */
  setupFiles: ['test/support/setup-costs.ts'],
  isolate: false,
  execArgv: [...nodeFlags],
  // Guards against tests that hang, not slow ones: generous enough for a machine that is ten times as busy.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  teardownTimeout: 120_000,
  expect: { poll: { timeout: 300_000 } },
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
          exclude: packages,
          globalSetup: [builtFiles],
          setupFiles: [...shared.setupFiles, 'test/support/english.ts'], // for the console
        },
      },
      { test: { ...shared, name: 'packages', include: packages, globalSetup: [builtFiles] } },
      {
        test: {
          ...shared,
          name: 'embedded',
          include: bothEngines,
          exclude: httpOnly,
          provide: { engine: 'embedded' },
          globalSetup: [builtFiles, emptyDatabase],
        },
      },
      {
        test: {
          ...shared,
          name: 'postgres',
          include: [...bothEngines, ...commands],
          provide: { engine: 'postgres' },
          globalSetup: [builtFiles, emptyDatabase, postgresServer],
        },
      },
      {
        test: {
          ...shared,
          name: 'reliability',
          include: ['test/reliability/**/*.test.ts'],
          provide: { engine: 'postgres' },
          globalSetup: [builtFiles, emptyDatabase, postgresServer],
        },
      },
      {
        test: {
          ...shared,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          provide: { engine: 'postgres' },
          globalSetup: [builtFiles, postgresServer, 'test/support/browser-setup.ts'],
        },
      },
    ],
  },
});
