import { expect, test } from 'vitest';
import { operatorLimits } from '../../../src/contract/limits.js';
import { version } from '../../../src/contract/version.js';
import { useService } from '../../support/service.js';
import { smallCalls } from '../../support/small-calls.js';

const service = useService(smallCalls);

test('shows what is configured, and nothing secret', async () => {
  const reply = await service.get('/service/settings');
  expect(reply.status, reply.text).toBe(200);
  const { data } = reply.json;
  expect(data).toMatchObject({
    ...{ version, database: 'postgres', timeZone: 'UTC', directories: 'open' },
    safetyLimitPercent: 100,
    ...{ emailDelivery: 'files', smsDelivery: 'files' },
  });
  expect(Object.keys(data.limits).sort()).toEqual(Object.keys(operatorLimits).sort());
  expect(data.limits.bulkItemsMax).toBe(6);
  expect(reply.text).not.toMatch(/secret|postgres:\/\/|data-?dir/i);
});
