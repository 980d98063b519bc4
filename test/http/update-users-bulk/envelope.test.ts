import { describe, expect, test } from 'vitest';
import { brokenEnvelopes, nestedArrays } from '../../support/broken-envelopes.js';
import { expectReport } from '../../support/bulk-reports.js';
import { anItem, useService } from '../../support/service.js';
import { expectRefusal, notAnObject } from '../../support/user-failures.js';

const service = useService();
const path = '/service/users/update-bulk';

describe('POST /service/users/update-bulk rejects the whole call when the body', () => {
  test.each(brokenEnvelopes)('%s', async (_, rawBody, error) => {
    expectRefusal(await service.post(path, undefined, { rawBody }), 400, error);
  });

  test('repeats items, and applies none of them', async () => {
    const user = await service.givenUser();
    const items = JSON.stringify([anItem(user, { name: 'Changed' })]);
    const reply = await service.post(path, undefined, { rawBody: `{"items":${items},"items":${items}}` });
    expect(reply.status).toBe(400);
    expect(await service.readUser(user.serial)).toMatchObject({ name: user.name });
  });
});

describe('POST /service/users/update-bulk accepts', () => {
  test('an empty list, with two empty lists in the reply', async () => {
    const reply = await service.updateBulk([]);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      status: 'success',
      message: expect.any(String),
      data: { successItems: [], failedItems: [] },
    });
  });

  test('a body with 32 levels, where only the invalid item fails', async () => {
    const user = await service.givenUser();
    const rawBody = `{"items":[${nestedArrays(30)},${JSON.stringify(anItem(user))}]}`;
    const reply = await service.post(path, undefined, { rawBody });
    expectReport(reply, { serials: [user.serial], errors: [notAnObject('items[0]: ')] });
  });

  test('brackets and colons in strings, which are neither nesting nor fields', async () => {
    const name = `${'[{'.repeat(60)}":\\":`;
    const user = await service.givenUser();
    const reply = await service.updateBulk([anItem(user, { name })]);
    expectReport(reply, { serials: [user.serial], errors: [] });
    expect(await service.readUser(user.serial)).toMatchObject({ name });
  });
});
