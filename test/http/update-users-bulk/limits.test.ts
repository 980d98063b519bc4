import { describe, test } from 'vitest';
import { expectReport } from '../../support/bulk-reports.js';
import { anItem, useOwnService, useService } from '../../support/service.js';
import { bodyTooLarge, expectRefusal, notAnObject, tooManyItems } from '../../support/user-failures.js';

const zeros = (count: number) => Array.from({ length: count }, () => 0);

describe('the limits of a bulk update that an operator set', () => {
  const service = useOwnService({ ROLLCALL_BULK_ITEMS_MAX: '3', ROLLCALL_BULK_BODY_MAX_BYTES: '2000' });

  test('as many items as the maximum are taken', async () => {
    const user = await service.givenUser();
    const items = [1, 2, 3].map(() => anItem(user));
    expectReport(await service.updateBulk(items), { serials: items.map(() => user.serial), errors: [] });
  });

  test('one item more is refused as a whole, with the limit in the detail', async () => {
    expectRefusal(await service.updateBulk(zeros(4)), 413, tooManyItems(/at most 3 items.*has 4/));
  });

  test('as many bytes as the maximum are taken, and one more is refused', async () => {
    const path = '/service/users/update-bulk';
    const most = '{"items":[]}'.padEnd(2_000);
    expectReport(await service.post(path, undefined, { rawBody: most }), { serials: [], errors: [] });
    const reply = await service.post(path, undefined, { rawBody: `${most} ` });
    expectRefusal(reply, 413, bodyTooLarge('2000 bytes'));
  });
});

describe('the limits of a bulk update as they come', () => {
  const service = useService();

  test('10,000 items are taken, across all transactions', async () => {
    const errors = zeros(10_000).map((_, position) => notAnObject(`items[${position}]: `));
    expectReport(await service.updateBulk(zeros(10_000)), { serials: [], errors });
  });

  test('10,001 items are refused', async () => {
    expectRefusal(await service.updateBulk(zeros(10_001)), 413, tooManyItems(/at most 10000 items/));
  });

  test('a body may be larger than those of other operations', async () => {
    const user = await service.givenUser();
    const items = Array.from({ length: 1_000 }, () => anItem(user, { name: 'x'.repeat(150) }));
    expectReport(await service.updateBulk(items), { serials: items.map(() => user.serial), errors: [] });
  });
});
