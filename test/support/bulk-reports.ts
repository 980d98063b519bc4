import { expect } from 'vitest';
import { withoutData } from './error-data.js';
import type { Reply } from './service.js';

type Report = Pick<Reply, 'json'>;

/** The serials of the successful items, in report order. */
export function serialsOf(reply: Report): string[] {
  return reply.json.data.successItems.map((entry: { response: { serial: string } }) => entry.response.serial);
}

/** The errors of the failed items, in report order. */
export function errorsOf(reply: Report): unknown[] {
  return reply.json.data.failedItems.map((entry: { error: never }) => withoutData(entry.error));
}

export function payloadsOf(reply: Report): { succeeded: unknown[]; failed: unknown[] } {
  const { successItems, failedItems } = reply.json.data;
  const payload = (entry: { payload: unknown }) => entry.payload;
  return { succeeded: successItems.map(payload), failed: failedItems.map(payload) };
}

export function expectReport(reply: Reply, expected: { serials: string[]; errors: unknown[] }): void {
  expect({ serials: serialsOf(reply), errors: errorsOf(reply) }).toEqual(expected);
  expect(reply.status).toBe(200);
}
