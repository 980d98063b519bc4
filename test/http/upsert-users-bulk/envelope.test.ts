import { describe, test } from 'vitest';
import { brokenEnvelopes } from '../../support/broken-envelopes.js';
import { useService } from '../../support/service.js';
import { expectRefusal } from '../../support/user-failures.js';

const service = useService();

describe('POST /service/users/upsert-bulk rejects the whole call when the body', () => {
  test.each(brokenEnvelopes)('%s', async (_, rawBody, error) => {
    expectRefusal(await service.post('/service/users/upsert-bulk', undefined, { rawBody }), 400, error);
  });
});
