import { afterAll } from 'vitest';
import { type ClientCredentials, TestService } from './service.js';

/** The first client of nodes started here. All nodes have it, so each can issue tokens for it. */
export const firstClient: ClientCredentials = {
  clientId: 'first-client',
  clientSecret: 'the-secret-of-the-first-client-of-these-nodes',
};

/** Starts two nodes on one database, with the same secret key. They stop after the tests of the file. */
export function useNodes(): (databaseUrl: string) => Promise<[TestService, TestService]> {
  const started: TestService[] = [];
  afterAll(async () => {
    await Promise.all(started.map((node) => node.stop()));
  });
  return async (databaseUrl) => {
    const start = async () => {
      const node = await TestService.start({
        DATABASE_URL: databaseUrl,
        ROLLCALL_SECRET_KEY: Buffer.alloc(32, 'shared').toString('base64'),
        ROLLCALL_BOOTSTRAP_CLIENT_ID: firstClient.clientId,
        ROLLCALL_BOOTSTRAP_CLIENT_SECRET: firstClient.clientSecret,
      });
      started.push(node);
      return node;
    };
    return Promise.all([start(), start()]);
  };
}
