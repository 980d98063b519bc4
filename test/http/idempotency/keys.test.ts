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
} from '../../support/idempotent-requests.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { issueToken, newId, useService } from '../../support/service.js';

const service = useService();
const rule = /^Send one Idempotency-Key of 1 to 255 printable ASCII characters/;

describe('an Idempotency-Key', () => {
  test('of 1 to 255 printable characters is accepted, with or without quotes', async () => {
    const token = await issueToken(service.url, await createdClient(service)); // a client without other keys
    const longest = 'k'.padEnd(255, 'x');
    const odd = `a key! #$%&'()*+,-./:;<=>?@[\\]^_\`{|}~x`;
    for (const [key, same] of [
      ['x', '"x"'],
      [longest, `"${longest}"`],
      [odd, `"${odd}"`],
      ['"a"b"', 'a"b'],
    ] as const) {
      const sent = await createOne.body(service);
      const first = await sendWithKey(service, createOne.path, sent, key, { token });
      expect([first.status, isReplay(first)], key).toEqual([201, false]);
      expectReplayOf(first, await sendWithKey(service, createOne.path, sent, key, { token }));
      expectReplayOf(first, await sendWithKey(service, createOne.path, sent, same, { token }));
    }
  });

  test('that is empty, too long or not printable fails with 10311, and nothing is changed', async () => {
    const [long, requestId] = ['x'.repeat(256), newId('request')];
    for (const key of ['', '""', long, `"${long}"`, 'a\tb', 'schlüssel']) {
      const reply = await sendWithKey(service, createOne.path, await createOne.body(service), key, {
        requestId,
      });
      expectFailure(reply, 400, 10311, 'IDEMPOTENCY_KEY_INVALID', rule);
    }
    for (const { path, body } of operations) {
      const reply = await sendWithKey(service, path, await body(service), long, { requestId });
      expectFailure(reply, 400, 10311, 'IDEMPOTENCY_KEY_INVALID', rule);
    }
    const preview = await sendWithKey(service, `${createBulk.path}?dryRun=true`, { items: [] }, '');
    expectFailure(preview, 400, 10311, 'IDEMPOTENCY_KEY_INVALID', rule);
    expect(await changesOfRequest(service, requestId)).toEqual([]);
  });

  test('sent twice fails with 10311', async () => {
    const text = JSON.stringify(await createOne.body(service));
    const headers = {
      authorization: `Bearer ${service.token}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      'Idempotency-Key': newId('key'),
      'idempotency-key': newId('key'),
    };
    const reply = await sendRaw(service.url, rawRequest('POST', createOne.path, headers, text));
    expectFailure(reply, 400, 10311, 'IDEMPOTENCY_KEY_INVALID', rule);
  });
});
