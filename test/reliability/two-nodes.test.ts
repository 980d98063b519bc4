import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.js';
import { type RunningService, startService } from '../../src/main.js';
import {
  anItem,
  createEmptyDatabase,
  credentialsIn,
  issueToken,
  newId,
  silentLogger,
} from '../support/service.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

interface Node {
  readonly running: RunningService;
  readonly dataDir: string;
}

async function startNode(databaseUrl: string): Promise<Node> {
  const dataDir = temporaryDirectory();
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    ROLLCALL_PUBLIC_URL: 'http://localhost:8080',
    ROLLCALL_DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
  });
  const running = await startService(config, silentLogger);
  onTestFinished(async () => {
    await running.stop();
  });
  await running.ready;
  return { running, dataDir };
}

async function call(node: Node, token: string, path: string, body: unknown) {
  const response = await fetch(`${node.running.url}${path}`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  return (await response.json()) as any;
}

describe('several nodes on one database', () => {
  test('start together on an empty database, where one migrates and creates the first credentials, and agree on names', async () => {
    const url = await createEmptyDatabase();
    const nodes = await Promise.all(Array.from({ length: 3 }, () => startNode(url)));
    const first = nodes.filter((node) => existsSync(join(node.dataDir, 'first-credentials.json')));
    expect(first).toHaveLength(1);
    const token = await issueToken(nodes[0]?.running.url ?? '', credentialsIn(first[0]?.dataDir ?? ''));
    for (const node of nodes) {
      const reply = await fetch(`${node.running.url}/service/users`, { headers: { authorization: token } });
      expect(reply.status, 'a token of one node is good on all').toBe(200);
    }

    const [one, two] = nodes as [Node, Node];
    // Of a create and a rename to the same ID, one succeeds.
    for (let round = 0; round < 6; round++) {
      const [old, wanted] = [newId(), newId()];
      await call(one, token, '/service/users', {
        employeeID: old,
        name: 'A',
        email: 'a@b.c',
        isActive: true,
      });
      const [created, renamed] = await Promise.all([
        call(one, token, '/service/users', { employeeID: wanted, name: 'B', email: 'a@b.c', isActive: true }),
        call(two, token, '/service/users/update-bulk', {
          items: [anItem({ employeeID: old, name: 'A' }, { newEmployeeID: wanted })],
        }),
      ]);
      const winners = [created.status === 'success', renamed.data.successItems.length === 1].filter(Boolean);
      expect(winners).toHaveLength(1);
    }
  });
});
