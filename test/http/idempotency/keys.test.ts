import { describe, expect, test } from 'vitest';
import { createdClient } from '../../support/api-clients.js';
import { changesOfRequest } from '../../support/change-rows.js';
import { expectFailure } from '../../support/expect-failure.js';
import {
  createBulk,
  createOne,
  expectReplayOf,
  isReplay,
  operations,
  sendWithKey,
  updateBulk,
} from '../../support/idempotent-requests.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { issueToken, newId, useService } from '../../support/service.js';

const service = useService();
const rule = /^Send one Idempotency-Key of 1 to 255 printable ASCII characters/;

describe('an Idempotency-Key', () => {
  test.each([
    ['of a UUID', () => crypto.randomUUID()],
    ['of 255 characters', () => newId('k').padEnd(255, 'x')],
    ['of 255 characters in quotes', () => `"${newId('k').padEnd(255, 'x')}"`],
    ['with spaces and punctuation', () => newId(`a key! #$%&'()*+,-./:;<=>?@[\\]^_\`{|}~ `)],
    ['with a quotation mark inside', () => newId('a"b')],
  ])('%s is accepted', async (_, newKey) => {
    for (const { path, body } of operations) {
      const [key, sent] = [newKey(), await body(service)];
      const first = await sendWithKey(service, path, sent, key);
      expect([first.status < 300, isReplay(first)]).toEqual([true, false]);
      expectReplayOf(first, await sendWithKey(service, path, sent, key));
    }
  });

  test('of one character is accepted', async () => {
    const token = await issueToken(service.url, await createdClient(service)); // a client without other keys
    const { path, body } = createOne;
    const sent = await body(service);
    const first = await sendWithKey(service, path, sent, 'x', { token });
    expectReplayOf(first, await sendWithKey(service, path, sent, 'x', { token }));
  });

  test.each([
    ['that is empty', ''],
    ['that is empty inside quotes', '""'],
    ['of 256 characters', 'x'.repeat(256)],
    ['of 300 characters', 'x'.repeat(300)],
    ['of 256 characters in quotes', `"${'x'.repeat(256)}"`],
    ['with a tab', 'a\tb'],
    ['with a non-ASCII letter', 'schlüssel'],
  ])('%s fails with 10311, and nothing is changed', async (_, key) => {
    for (const { path, body } of operations) {
      const requestId = newId('request');
      const reply = await sendWithKey(service, path, await body(service), key, { requestId });
      expectFailure(reply, 400, 10311, 'IDEMPOTENCY_KEY_INVALID', rule);
      expect(await changesOfRequest(service, requestId)).toEqual([]);
    }
  });

  test.each([createBulk, updateBulk])(
    'that is invalid also fails in a dry run of $path',
    async (operation) => {
      const body = await operation.body(service);
      const preview = (key: string) => sendWithKey(service, `${operation.path}?dryRun=true`, body, key);
      expectFailure(await preview(''), 400, 10311, 'IDEMPOTENCY_KEY_INVALID', rule);
      expectFailure(await preview('x'.repeat(256)), 400, 10311, 'IDEMPOTENCY_KEY_INVALID', rule);
      expect((await preview(newId('key'))).status).toBe(200);
    },
  );

  test.each(operations)('sent twice to $path fails with 10311', async ({ path, body }) => {
    const text = JSON.stringify(await body(service));
    const headers = {
      authorization: `Bearer ${service.token}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      'Idempotency-Key': newId('key'),
      'idempotency-key': newId('key'),
    };
    const reply = await sendRaw(service.url, rawRequest('POST', path, headers, text));
    expectFailure(reply, 400, 10311, 'IDEMPOTENCY_KEY_INVALID', rule);
  });
});
