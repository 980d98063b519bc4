import { expect } from 'vitest';
import { withoutData } from './error-data.js';
import type { Reply } from './service.js';

/** The flat error body of the contract, with part of its detail. */
function failure(errorCode: number, message: string) {
  return (detail: string | RegExp) => ({
    errorCode,
    message,
    detail: typeof detail === 'string' ? expect.stringContaining(detail) : expect.stringMatching(detail),
  });
}

// Codes and names are spelled out, not taken from the catalogue, because callers rely on the published ones.
export const notJson = failure(10002, 'REQUEST_BODY_NOT_JSON');
export const tooDeep = failure(10003, 'REQUEST_BODY_TOO_DEEP');
export const bodyInvalid = failure(10004, 'REQUEST_BODY_INVALID');
export const bodyTooLarge = failure(10012, 'REQUEST_BODY_TOO_LARGE');
export const tooManyItems = failure(10013, 'REQUEST_TOO_MANY_ITEMS');
export const employeeIdExists = failure(10101, 'USER_EMPLOYEE_ID_EXISTS');
export const userNotFound = failure(10102, 'USER_NOT_FOUND');
export const usernameExists = failure(10103, 'USER_USERNAME_EXISTS');
export const contactRequired = failure(10104, 'USER_CONTACT_REQUIRED');
export const notAnObject = failure(10105, 'USER_NOT_AN_OBJECT');
export const fieldRequired = failure(10106, 'USER_FIELD_REQUIRED');
export const fieldInvalid = failure(10107, 'USER_FIELD_INVALID');
export const fieldNotAccepted = failure(10108, 'USER_FIELD_NOT_ACCEPTED');

export function expectRefusal(reply: Reply, status: number, body: ReturnType<typeof fieldInvalid>): void {
  expect(withoutData(reply.json)).toEqual(body);
  expect(reply.status).toBe(status);
}
