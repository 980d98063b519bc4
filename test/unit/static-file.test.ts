import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { StaticFile } from '../../src/http/static-file.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const options = { type: 'application/json', cacheControl: 'no-cache' };

/** Serves the file, and records every payload that is sent. */
function served(file: StaticFile) {
  const sent: unknown[] = [];
  const app = Fastify();
  app.addHook('onSend', async (_request, _reply, payload) => {
    sent.push(payload);
    return payload;
  });
  app.get('/', (request, reply) => file.send(request, reply));
  const get = (encoding: string) => app.inject({ url: '/', headers: { 'accept-encoding': encoding } });
  return { get, sent };
}

test('all requests share the same bytes, and nothing is recomputed', async () => {
  const { get, sent } = served(StaticFile.ofText('{"a":1}'.repeat(1_000), options));
  const replies = await Promise.all(Array.from({ length: 20 }, () => get('gzip')));
  expect(new Set(sent).size).toBe(1);
  expect(gunzipSync(replies[0]?.rawPayload ?? '').toString()).toBe('{"a":1}'.repeat(1_000));
  await Promise.all(Array.from({ length: 20 }, () => get('identity')));
  expect(new Set(sent).size).toBe(2);
});

test('a compressed version next to the file is sent as is', async () => {
  const path = join(temporaryDirectory(), 'file.json');
  writeFileSync(path, '{}');
  writeFileSync(`${path}.br`, 'as it is');
  const { get } = served(StaticFile.at(path, options));
  expect((await get('br')).body).toBe('as it is');
  expect((await get('gzip, br;q=0')).headers['content-encoding']).toBe('gzip');
  expect((await get('identity')).body).toBe('{}');
});

test.each([
  ['gzip, deflate, br', 'br'],
  ['*', 'br'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, gzip;q=0.000', undefined],
  ['deflate', undefined],
  ['', undefined],
])('Accept-Encoding: %s gets %s', async (accepted, encoding) => {
  const { get } = served(StaticFile.ofText('{}', options));
  expect((await get(accepted)).headers['content-encoding']).toBe(encoding);
});

test('a deleted file fails with not found, not with an internal error', async () => {
  const path = join(temporaryDirectory(), 'file.json');
  writeFileSync(path, '{}');
  const file = StaticFile.at(path, options);
  expect(readFileSync(path, 'utf8')).toBe('{}');
  rmSync(path);
  await expect(file.send({ headers: {} } as never, {} as never)).rejects.toMatchObject({
    failure: { error: 'REQUEST_PATH_NOT_FOUND' },
  });
});
