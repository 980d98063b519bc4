import { defineConfig } from 'vitest/config';

/** The same suite on both engines; what needs several connections at once is in test/reliability, on PostgreSQL. */
const bothEngines = ['test/http/**/*.test.ts', 'test/storage/**/*.test.ts', 'test/cli/**/*.test.ts'];
const postgresServer = ['test/support/postgres-server.ts'];
/** Files of one worker share its modules and, through them, one service: most of the time went into starting. */
const together = { isolate: false };
const timeouts = { testTimeout: 120_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } };

export default defineConfig({
  test: {
    maxWorkers: 3, // on two cores: one of them waits at almost any moment, for a disk, a lease or a retry
    reporters: ['default'],
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], ...together, ...timeouts } },
      {
        test: {
          name: 'embedded',
          include: bothEngines,
          provide: { engine: 'embedded' },
          ...together,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'postgres',
          include: bothEngines,
          provide: { engine: 'postgres' },
          globalSetup: postgresServer,
          ...together,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'reliability',
          include: ['test/reliability/**/*.test.ts'],
          provide: { engine: 'postgres' },
          globalSetup: postgresServer,
          ...together,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          provide: { engine: 'postgres' },
          globalSetup: [...postgresServer, 'test/support/browser-setup.ts'],
          ...together,
          ...timeouts,
        },
      },
    ],
  },
});
