import { expect } from 'vitest';

interface FailedReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly json: any;
}

/** The flat error body and nothing beside it. Numbers are written out in the tests: they are part of the contract. */
export function expectFailure(
  reply: FailedReply,
  status: number,
  errorCode: number,
  message: string,
  detail: RegExp,
): void {
  expect(reply.json).toEqual({ errorCode, message, detail: expect.stringMatching(detail) });
  expect(reply.status).toBe(status);
}
