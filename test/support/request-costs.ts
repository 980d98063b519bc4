import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { ApiOperation } from './hostile-requests.js';
import type { TestService } from './service.js';

/**
 * Compares the processor time of a request with that of an ordinary one of the same size on the same machine, so that
 * neither machine speed nor load matters. Quadratic work would take hundreds of times as long.
 */
export const timesMax = 40;
/** A long list costs so much by itself that the rest of the request hardly counts. */
export const listTimesMax = 10;
const attempts = 4;

/** The most characters that may be processed in one step. */
const parsedAtOnceMax = 400_000;
const normalizedAtOnceMax = 2_000;

const contentTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded', none: '' };

/** Sends a body to an operation. Returns the status of the reply. */
export async function sendBody(
  service: TestService,
  { id, method, path, type }: ApiOperation,
  bytes: Buffer,
  token = service.token,
): Promise<number> {
  // A dry run, since the work of the database isn't measured here.
  const query = id.endsWith('UsersBulk') ? '?dryRun=true' : '';
  const response = await fetch(`${service.url}${path}${query}`, {
    method,
    headers: { 'content-type': contentTypes[type], authorization: `Bearer ${token}` },
    body: bytes as unknown as ArrayBuffer,
  });
  await response.arrayBuffer();
  return response.status;
}

/** What an ordinary request costs, in microseconds of processor time. */
export async function ordinaryCost(send: () => Promise<number>): Promise<number> {
  return Math.max(await costOf(send), await costOf(send), await costOf(send));
}

/** The request costs less than `max` times as much as an ordinary one, and causes no internal error. */
export async function expectCheap(
  shape: string,
  send: () => Promise<number>,
  ordinary: number,
  max: number,
): Promise<void> {
  let [least, status] = [Number.POSITIVE_INFINITY, 0];
  for (let attempt = 0; attempt < attempts && least > max * ordinary; attempt++) {
    const cost = await costOf(async () => {
      status = await send();
      return status;
    });
    least = Math.min(least, cost);
  }
  expect(least / ordinary, `${shape}, answered with ${status}`).toBeLessThan(max);
  expect(status, shape).toBeLessThan(500);
}

async function costOf(send: () => Promise<number>): Promise<number> {
  const start = process.cpuUsage();
  await send();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** Fails each test of the file in which too much is processed in one step, because nothing else runs meanwhile. */
export function limitSteps(): void {
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
    expect(longest.parsed).toBeLessThan(parsedAtOnceMax);
    expect(longest.normalized).toBeLessThan(normalizedAtOnceMax);
  });
}

const length = 10_000;

export const hostileQueries: Readonly<Record<string, string>> = {
  'many parameters': Array.from({ length: length / 6 }, (_, index) => `f${index}=`).join('&'),
  'the same parameter': 'limit=1&'.repeat(length / 8),
  'a long search': `search=${'%CC%81'.repeat(length / 6)}`,
  'a long cursor': `cursor=${Buffer.from(`["${'["'.repeat(3_000)}`).toString('base64url')}`,
  'many types': `types=${'a,'.repeat(length / 2)}`,
};

export const hostileHeaders: Readonly<Record<string, Record<string, string>>> = {
  accept: { accept: '*/*;q=0,'.repeat(length / 8) },
  'if-match': { 'if-match': '"1",'.repeat(length / 4) },
  'an idempotency key': { 'idempotency-key': '"'.repeat(length) },
  authorization: { authorization: `Bearer${' '.repeat(length)}x y` },
  basic: { authorization: `Basic ${'='.repeat(length)}` },
  forwarded: { 'x-forwarded-for': '1.1.1.1,'.repeat(length / 8) },
};

/** Sends every hostile query and header to an operation. */
export async function expectCheapQueries(
  service: TestService,
  { method, path }: Pick<ApiOperation, 'method' | 'path'>,
): Promise<void> {
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
  const ordinary = await ordinaryCost(ask(`unknown=${'x'.repeat(length)}`));
  for (const [shape, query] of Object.entries(hostileQueries))
    await expectCheap(shape, ask(query), ordinary, timesMax);
  // With an unknown parameter, so that no event stream starts.
  for (const [shape, more] of Object.entries(hostileHeaders))
    await expectCheap(shape, ask('unknown=1', more), ordinary, timesMax);
}
