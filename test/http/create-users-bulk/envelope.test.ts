import { describe, expect, test } from 'vitest';
import { brokenEnvelopes, nestedArrays } from '../../support/broken-envelopes.js';
import { errorsOf } from '../../support/bulk-reports.js';
import { aUser, useService } from '../../support/service.js';
import { expectRefusal, notAnObject } from '../../support/user-failures.js';

const service = useService();
const path = '/service/users/create-bulk';

describe('POST /service/users/create-bulk rejects the whole call when the body', () => {
  test.each(brokenEnvelopes)('%s', async (_, rawBody, error) => {
    expectRefusal(await service.post(path, undefined, { rawBody }), 400, error);
  });

  test('has an unknown field next to items, and creates no user', async () => {
    const user = aUser();
    expect((await service.post(path, { items: [user], dryRun: true })).status).toBe(400);
    expect((await service.post('/service/users', user)).status).toBe(201);
  });
});

describe('POST /service/users/create-bulk accepts', () => {
  test('an empty list, with two empty lists in the reply', async () => {
    const reply = await service.createBulk([]);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      status: 'success',
      message: expect.any(String),
      data: { successItems: [], failedItems: [] },
    });
  });

  test('a body with 32 levels, where only the invalid item fails', async () => {
    const rawBody = `{"items":[${nestedArrays(30)},${JSON.stringify(aUser())}]}`;
    const reply = await service.post(path, undefined, { rawBody });
    expect(errorsOf(reply)).toEqual([notAnObject('items[0]: ')]);
    expect(reply.json.data.successItems).toHaveLength(1);
  });
});
