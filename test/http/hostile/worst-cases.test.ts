import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ApiOperation,
  apiOperations,
  type Body,
  hostileBodies,
  ordinaryBody,
} from '../../support/hostile-requests.js';
import { givenPerson } from '../../support/people.js';
import { useOwnService } from '../../support/service.js';

/**
 * Compares the processor time of a request with that of an ordinary body of the same size on the same machine, so
 * that neither machine speed nor load matters. Quadratic work would take hundreds of times as long.
 */
const timesMax = 40;
/** A long list costs so much by itself that the rest of the request hardly counts. */
const listTimesMax = 10;
const attempts = 4;
const bodyBytes = 60_000;
const listBytes = 1_000_000;

/** The most characters that may be processed in one step. */
const parsedAtOnceMax = 400_000;
const normalizedAtOnceMax = 2_000;

const service = useOwnService({
  ROLLCALL_SIGN_IN_FREE_FAILURES: '1000000',
  ROLLCALL_SIGN_IN_FREE_FAILURES_PER_ADDRESS: '1000000',
  ROLLCALL_TOKEN_REQUESTS_PER_MINUTE_MAX: '0',
});

let longest = { parsed: 0, normalized: 0 };

beforeEach(() => {
  longest = { parsed: 0, normalized: 0 };
  const { parse } = JSON;
  vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    longest.parsed = Math.max(longest.parsed, text.length);
    return parse(text, reviver);
  });
  const { normalize } = String.prototype;
  vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form?: string) {
    longest.normalized = Math.max(longest.normalized, this.length);
    return normalize.call(this, form);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const contentTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

async function send(operation: ApiOperation, bytes: Buffer, token: string): Promise<number> {
  const { id, method, path, type } = operation;
  // A dry run, since the work of the database isn't measured here.
  const query = id.endsWith('UsersBulk') ? '?dryRun=true' : '';
  const response = await fetch(`${service.url}${path}${query}`, {
    method,
    headers: { 'content-type': contentTypes[type as 'json'], authorization: `Bearer ${token}` },
    body: bytes as unknown as ArrayBuffer,
  });
  await response.arrayBuffer();
  return response.status;
}

/** In microseconds of processor time. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/**
 * Other operations have the same fields, and try every shape in each. In the items of a list, every field has one or two:
 * there are ten bodies per field, so every ninth has another shape in another field.
 */
function bodiesOf(operation: ApiOperation, size: number): Body[] {
  const bodies = hostileBodies(operation, size);
  if (operation.list === undefined) return bodies;
  const inFields = bodies.filter(({ shape }) => shape.includes(': '));
  const tried = new Set(inFields.filter((_, index) => index % 9 === 0));
  return bodies.filter((body) => !inFields.includes(body) || tried.has(body));
}

const withBody = apiOperations().filter(({ type }) => type !== 'none');

describe('no body costs much more than an ordinary one of the same size', () => {
  test.each(withBody)('$id', { timeout: 600_000 }, async (operation) => {
    const token = operation.path.endsWith('/change-password')
      ? (await givenPerson(service)).token
      : service.token;
    const [size, max] = operation.list === undefined ? [bodyBytes, timesMax] : [listBytes, listTimesMax];
    const ordinary = ordinaryBody(operation, size);
    let baseline = 0;
    for (let round = 0; round < 3; round++) {
      baseline = Math.max(baseline, await costOf(() => send(operation, ordinary, token)));
    }
    for (const { shape, bytes } of bodiesOf(operation, size)) {
      let [least, status] = [Number.POSITIVE_INFINITY, 0];
      for (let attempt = 0; attempt < attempts && least > max * baseline; attempt++) {
        const cost = await costOf(async () => {
          status = await send(operation, bytes, token);
        });
        least = Math.min(least, cost);
      }
      expect(least / baseline, `${shape}, answered with ${status}`).toBeLessThan(max);
      expect(status, shape).toBeLessThan(500);
    }
    expect(longest.parsed).toBeLessThan(parsedAtOnceMax);
    expect(longest.normalized).toBeLessThan(normalizedAtOnceMax);
  });
});

describe('no query or header costs much more than an ordinary one of the same size', () => {
  const length = 10_000;
  const parameters: Record<string, string> = {
    'many parameters': Array.from({ length: length / 6 }, (_, index) => `f${index}=`).join('&'),
    'the same parameter': 'limit=1&'.repeat(length / 8),
    'a long search': `search=${'%CC%81'.repeat(length / 6)}`,
    'a long cursor': `cursor=${Buffer.from(`["${'["'.repeat(3_000)}`).toString('base64url')}`,
    'many types': `types=${'a,'.repeat(length / 2)}`,
  };
  const headers: Record<string, Record<string, string>> = {
    accept: { accept: '*/*;q=0,'.repeat(length / 8) },
    'if-match': { 'if-match': '"1",'.repeat(length / 4) },
    'an idempotency key': { 'idempotency-key': '"'.repeat(length) },
    authorization: { authorization: `Bearer${' '.repeat(length)}x y` },
    basic: { authorization: `Basic ${'='.repeat(length)}` },
    forwarded: { 'x-forwarded-for': '1.1.1.1,'.repeat(length / 8) },
  };

  test.each(apiOperations())('$id', async ({ method, path }) => {
    const ask =
      (query: string, more: Record<string, string> = {}) =>
      async () => {
        const authorization = `Bearer ${service.token}`;
        const response = await fetch(`${service.url}${path}?${query}`, {
          method,
          headers: { authorization, ...more },
        });
        await response.arrayBuffer();
        return response.status;
      };
    const ordinary = ask(`unknown=${'x'.repeat(length)}`);
    const baseline = Math.max(await costOf(ordinary), await costOf(ordinary), await costOf(ordinary));
    const all = [
      ...Object.entries(parameters).map(([shape, query]) => [shape, ask(query)] as const),
      // With an unknown parameter, so that no event stream starts.
      ...Object.entries(headers).map(([shape, more]) => [shape, ask('unknown=1', more)] as const),
    ];
    for (const [shape, request] of all) {
      let least = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < attempts && least > timesMax * baseline; attempt++) {
        least = Math.min(least, await costOf(async () => expect(await request(), shape).toBeLessThan(500)));
      }
      expect(least / baseline, shape).toBeLessThan(timesMax);
    }
  });
});
