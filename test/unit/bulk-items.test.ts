import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { readBulkItems } from '../../src/http/bulk-items.js';
import { RequestRejected } from '../../src/http/request-rejected.js';
import { brokenEnvelopes } from '../support/broken-envelopes.js';

async function failureOf(body: string | Buffer, itemsMax = 3): Promise<unknown> {
  const request = { body: { bytes: Buffer.from(body) } } as unknown as FastifyRequest;
  try {
    await readBulkItems(request, ['employeeID'], itemsMax);
  } catch (rejected) {
    return rejected instanceof RequestRejected ? rejected.failure : rejected;
  }
}

describe('a bulk call is rejected as a whole if its body', () => {
  test.each(brokenEnvelopes)('%s', async (_, body, failure) => {
    expect(await failureOf(body)).toMatchObject(failure);
  });

  test('has more items than allowed', async () => {
    expect(await failureOf('{"items":[1,2,3]}')).toBeUndefined();
    expect(await failureOf('{"items":[1,2,3,4]}')).toEqual({
      error: 'REQUEST_TOO_MANY_ITEMS',
      detail: 'A call can have at most 3 items, but this one has 4. Split it into several calls.',
      data: { limit: 3, count: 4 },
    });
  });
});

test('a bulk call may have 32 levels of nesting, and no items', async () => {
  expect(await failureOf(`{"items":[${'['.repeat(30)}${']'.repeat(30)}]}`)).toBeUndefined();
  expect(await failureOf('{"items":[]}')).toBeUndefined();
});
