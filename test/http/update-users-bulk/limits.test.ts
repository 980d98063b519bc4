import { describe, test } from 'vitest';
import { expectReport } from '../../support/bulk-reports.js';
import { anItem, useOwnService, useService } from '../../support/service.js';
import { bodyTooLarge, expectRefusal, notAnObject, tooManyItems } from '../../support/user-failures.js';

const zeros = (count: number) => Array.from({ length: count }, () => 0);

describe('configured limits of a bulk update', () => {
  const service = useOwnService({ ROLLCALL_BULK_ITEMS_MAX: '3', ROLLCALL_BULK_BODY_MAX_BYTES: '2000' });

  test('accept the maximum number of items', async () => {
    const user = await service.givenUser();
    const items = [1, 2, 3].map(() => anItem(user));
    expectReport(await service.updateBulk(items), { serials: items.map(() => user.serial), errors: [] });
  });

  test('reject one more item as a whole, with the limit in the detail', async () => {
    expectRefusal(await service.updateBulk(zeros(4)), 413, tooManyItems(/at most 3 items.*has 4/));
  });

  test('accept the maximum number of bytes and reject one more', async () => {
    const path = '/service/users/update-bulk';
    const most = '{"items":[]}'.padEnd(2_000);
    expectReport(await service.post(path, undefined, { rawBody: most }), { serials: [], errors: [] });
    const reply = await service.post(path, undefined, { rawBody: `${most} ` });
    expectRefusal(reply, 413, bodyTooLarge('2000 bytes'));
  });
});

describe('default limits of a bulk update', () => {
  const service = useService();

  test('accept 10,000 items, across all chunks', async () => {
    const errors = zeros(10_000).map((_, position) => notAnObject(`items[${position}]: `));
    expectReport(await service.updateBulk(zeros(10_000)), { serials: [], errors });
  });

  test('reject 10,001 items', async () => {
    expectRefusal(await service.updateBulk(zeros(10_001)), 413, tooManyItems(/at most 10000 items/));
  });

  test('allow a larger body than other operations', async () => {
    const user = await service.givenUser();
    const items = Array.from({ length: 1_000 }, () => anItem(user, { name: 'x'.repeat(150) }));
    expectReport(await service.updateBulk(items), { serials: items.map(() => user.serial), errors: [] });
  });
});
