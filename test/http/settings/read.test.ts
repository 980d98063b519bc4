import { expect, inject, test } from 'vitest';
import { limitDefaults } from '../../../src/contract/limits.js';
import { version } from '../../../src/contract/version.js';
import { useService } from '../../support/service.js';

const service = useService({ ROLLCALL_SAFETY_LIMIT_PERCENT: '20', ROLLCALL_BULK_ITEMS_MAX: '500' });

test('shows what is configured, and nothing secret', async () => {
  const reply = await service.get('/service/settings');
  expect(reply.status, reply.text).toBe(200);
  const { data } = reply.json;
  expect(data).toMatchObject({
    ...{ version, database: inject('engine'), timeZone: 'UTC', directories: 'open' },
    safetyLimitPercent: 20,
    ...{ emailDelivery: 'files', smsDelivery: 'files' },
  });
  expect(Object.keys(data.limits).sort()).toEqual(Object.keys(limitDefaults).sort());
  expect(data.limits.bulkItemsMax).toBe(500);
  expect(reply.text).not.toMatch(/secret|postgres:\/\/|data-?dir/i);
});

test('requires access:admin', async () => {
  const token = await service.tokenFor('users:read', 'users:write', 'audit:read');
  expect((await service.get('/service/settings', { token })).status).toBe(403);
});
