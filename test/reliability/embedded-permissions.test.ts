import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/problem.js';
import { openEmbedded } from '../../src/storage/embedded/open-embedded.js';
import { aUser, credentialsIn, issueToken } from '../support/service.js';
import { spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** The paths in the directory, including itself, on which anyone but the owner has permissions. */
function openToOthers(path: string): string[] {
  const stats = lstatSync(path);
  const inside = stats.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [];
  return [...((stats.mode & 0o077) === 0 ? [] : [path]), ...inside.flatMap(openToOthers)];
}

test('an existing data directory becomes private to its owner at the first start, and again later', {
  tags: 'release',
}, async () => {
  const dataDir = join(temporaryDirectory(), 'data');
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o755);
  const first = await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
  expect(first.output.match(/Removed the permissions of other users/g)).toHaveLength(1);
  const token = await issueToken(first.url, credentialsIn(dataDir));
  const created = await fetch(`${first.url}/service/users`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(aUser({ password: 'a given password' })),
  });
  expect(created.status).toBe(201);
  await expect.poll(() => readdirSync(dataDir)).toContain('outbox');
  await expect
    .poll(() => readdirSync(join(dataDir, 'outbox')).filter((name) => name.endsWith('.eml')))
    .toHaveLength(1);
  expect(readdirSync(dataDir)).toEqual(
    expect.arrayContaining(['lock.sock', 'secret.key', 'first-credentials.json']),
  );
  expect(openToOthers(dataDir), 'while it runs').toEqual([]);
  await first.kill('SIGTERM');
  expect(openToOthers(dataDir), 'after it').toEqual([]);

  // Permissions left by an earlier version are removed, with one log line.
  const loosen = (path: string) => {
    const isDirectory = lstatSync(path).isDirectory();
    chmodSync(path, isDirectory ? 0o755 : 0o666);
    if (isDirectory) for (const name of readdirSync(path)) loosen(join(path, name));
  };
  loosen(dataDir);
  const told: string[] = [];
  await (await openEmbedded(dataDir, (line) => void told.push(line))).close();
  expect(told).toEqual([expect.stringContaining('Removed the permissions of other users')]);
  expect(openToOthers(dataDir)).toEqual([]);
});

/** A directory in which others could plant a link, so that emails are written elsewhere. */
function withPlantedLink(): string {
  const dataDir = temporaryDirectory();
  chmodSync(dataDir, 0o775);
  writeFileSync(join(dataDir, 'secret.key'), '', { mode: 0o644 });
  symlinkSync(temporaryDirectory(), join(dataDir, 'outbox'));
  return dataDir;
}

test('neither database is used with a planted symbolic link, and nothing is changed before a refusal', {
  tags: 'release',
}, async () => {
  const [embedded, beside] = [withPlantedLink(), withPlantedLink()];
  await expect(openEmbedded(embedded)).rejects.toThrow(`${join(embedded, 'outbox')} is a symbolic link`);
  const environment = { DATABASE_URL: 'postgres://127.0.0.1:9/none', ROLLCALL_DATA_DIR: beside };
  const service = await spawned(environment);
  expect(await service.exited).toBe(exitCodes.refused);
  expect(service.output).toContain(`${join(beside, 'outbox')} is a symbolic link`);
  for (const dataDir of [embedded, beside]) expect(lstatSync(dataDir).mode & 0o777).toBe(0o775);
});
