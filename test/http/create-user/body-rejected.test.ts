import { describe, expect, test } from 'vitest';
import { nestedArrays } from '../../support/broken-envelopes.js';
import { aUser, useService } from '../../support/service.js';
import { bodyTooLarge, expectRefusal, notAnObject, notJson, tooDeep } from '../../support/user-failures.js';

const service = useService();

// What is JSON, and where an error is, is tested in test/unit/json-body.test.ts.
describe('POST /service/users rejects a body that', () => {
  test.each([
    ['is not an object', '[]', notAnObject('A user must be a JSON object, not an array')],
    ['is empty', '', notJson(/empty|missing/)],
    ['is not JSON', '{"employeeID": "E1",\n "name": Ada}', notJson('line 2, column 10')],
    ['is not UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22]), notJson('UTF-8')],
    ['is nested 33 levels deep', nestedArrays(33), tooDeep('32 levels')],
  ])('%s', async (_, rawBody, error) => {
    expectRefusal(await service.post('/service/users', undefined, { rawBody }), 400, error);
  });

  test('exceeds 64 KiB, with the limit in the detail', async () => {
    const user = JSON.stringify(aUser());
    const most = await service.post('/service/users', undefined, { rawBody: user.padEnd(64 * 1024) });
    expect(most.status, most.text).toBe(201);
    const reply = await service.post('/service/users', undefined, { rawBody: user.padEnd(64 * 1024 + 1) });
    expectRefusal(reply, 413, bodyTooLarge('65536 bytes'));
  });
});
