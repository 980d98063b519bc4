import { describe, test } from 'vitest';
import { nestedArrays } from '../../support/broken-envelopes.js';
import { aUser, useService } from '../../support/service.js';
import { bodyTooLarge, expectRefusal, notAnObject, notJson, tooDeep } from '../../support/user-failures.js';

const service = useService();

describe('POST /service/users rejects a body that', () => {
  test.each([
    ['is an array', '[]', 'an array'],
    ['is an array of one user', JSON.stringify([aUser()]), 'an array'],
    ['is null', 'null', 'null'],
    ['is a string', '"Ada"', 'a string'],
    ['is a number', '7', 'a number'],
    ['is a boolean', 'true', 'a boolean'],
  ])('%s instead of an object', async (_, rawBody, sent) => {
    const reply = await service.post('/service/users', undefined, { rawBody });
    expectRefusal(reply, 400, notAnObject(`must be a JSON object, not ${sent}`));
  });

  test.each([
    ['is empty', '', /empty|missing/],
    ['is blank', ' \n', 'not valid JSON'],
    ['is not JSON', 'employeeID=E1', 'line 1, column 1'],
    ['has an error on its second line', '{"employeeID": "E1",\n "name": Ada}', 'line 2, column 10'],
    ['continues after the JSON', '{} {}', 'not valid JSON'],
    ['has a comment', '{} // Ada', 'not valid JSON'],
    ['has a trailing comma', '{"name": "Ada",}', 'not valid JSON'],
    ['contains NaN', '{"name": NaN}', 'not valid JSON'],
    ['is not UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22]), 'UTF-8'],
  ])('%s', async (_, rawBody, detail) => {
    const reply = await service.post('/service/users', undefined, { rawBody });
    expectRefusal(reply, 400, notJson(detail));
  });

  test.each([33, 25_000])('is nested %i levels deep', async (levels) => {
    const reply = await service.post('/service/users', undefined, { rawBody: nestedArrays(levels) });
    expectRefusal(reply, 400, tooDeep('32 levels'));
  });

  test('exceeds 64 KiB, with the limit in the detail', async () => {
    const reply = await service.post('/service/users', aUser({ name: 'x'.repeat(64 * 1024) }));
    expectRefusal(reply, 413, bodyTooLarge('65536 bytes'));
  });
});
