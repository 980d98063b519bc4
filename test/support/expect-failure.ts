import { expect } from 'vitest';
import type { Failure } from '../../src/contract/errors.js';
import { RequestRejected } from '../../src/http/request-rejected.js';
import { withoutData } from './error-data.js';

interface FailedReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly json: any;
}

/**
 * Expects an error body with exactly these fields, and data as declared in the catalogue. Tests spell out the numbers,
 * because they are part of the contract.
 */
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

/** The failure with which a request would end. */
export function rejected(read: () => unknown): Failure {
  try {
    read();
  } catch (error) {
    if (error instanceof RequestRejected) return error.failure;
    throw error;
  }
  throw new Error('nothing was rejected');
}
