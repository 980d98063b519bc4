import { expect } from 'vitest';
import { withoutData } from './error-data.js';

interface FailedReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly json: any;
}

/** The flat error body, the data that the catalogue declares, and nothing beside it. Numbers are written out in the tests: they are part of the contract. */
export function expectFailure(
  reply: FailedReply,
  status: number,
  errorCode: number,
  message: string,
  detail: RegExp,
): void {
  expect(withoutData(reply.json)).toEqual({ errorCode, message, detail: expect.stringMatching(detail) });
  expect(reply.status).toBe(status);
}
