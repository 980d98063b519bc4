import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { readBulkItems } from '../../src/http/bulk-items.js';
import { RequestRejected } from '../../src/http/request-rejected.js';
import { brokenEnvelopes } from '../support/broken-envelopes.js';

async function failureOf(
  body: string | Buffer,
  { itemsMax = 3, notIgnored }: { itemsMax?: number; notIgnored?: string[] } = {},
): Promise<unknown> {
  const request = { body: { bytes: Buffer.from(body) } } as unknown as FastifyRequest;
  try {
    await readBulkItems(request, ['employeeID'], itemsMax, notIgnored);
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

describe('a bulk call of the contract', () => {
  const notIgnored = ['dryRun'];
  const names = (count: number) => Array.from({ length: count }, (_, at) => `"x${at}":0`);

  test('may have unknown fields beside its items', async () => {
    const body = `{"__proto__":{"items":1},"batch":[7],"items":[1],"batch":8,${names(90)}}`;
    expect(await failureOf(body, { notIgnored })).toBeUndefined();
    expect(await failureOf(`{"batch":7,"items":[1,2,3,4]}`, { notIgnored })).toMatchObject({
      error: 'REQUEST_TOO_MANY_ITEMS',
    });
  });

  test.each([
    ['the items, misspelled', '{"Items":[]}', '"Items" is unknown'],
    ['the items, misspelled, beside the items', '{"items":[],"item":[]}', '"item" is unknown'],
    ['no items', '{"batch":7}', '"items" is missing'],
    ['the items twice', '{"items":[],"batch":7,"items":[]}', '"items" appears twice'],
    [
      'a parameter',
      '{"dryRun":true,"items":[]}',
      '"dryRun" is unknown. Send the parameter dryRun in the query',
    ],
    ['a misspelled parameter', '{"x":1,"items":[],"dry_run":1}', 'Send the parameter dryRun in the query'],
    ['more fields than anybody adds', `{"items":[],${names(200)}}`, '"x0" is unknown'],
  ])('is rejected with %s', async (_, body, problem) => {
    const detail = expect.stringContaining(problem);
    expect(await failureOf(body, { notIgnored })).toMatchObject({ error: 'REQUEST_BODY_INVALID', detail });
  });
});

test('a bulk call may have 32 levels of nesting, and no items', async () => {
  expect(await failureOf(`{"items":[${'['.repeat(30)}${']'.repeat(30)}]}`)).toBeUndefined();
  expect(await failureOf('{"items":[]}')).toBeUndefined();
});
