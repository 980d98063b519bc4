import { ConnectionFailed, RollcallError, UnexpectedReply } from '@rollcall/client';
import { describe, expect, it } from 'vitest';
import { isOutage, waitsForService } from '../../../console/src/session/outage.js';

const facts = { outcomeUnknown: false, retryAfterMs: undefined };
const refused = new ConnectionFailed('GET /service/users: no reply.', { ...facts, reason: 'ECONNREFUSED' });
const serviceError = (status: number, name: 'SERVICE_UNAVAILABLE' | 'USER_NOT_FOUND') =>
  new RollcallError(status, { name, code: 1, detail: 'No.', data: {} } as never);

describe('an outage', () => {
  it('is a connection that fails, a service that is not ready, or a proxy without a service', () => {
    expect(isOutage(refused)).toBe(true);
    expect(isOutage(serviceError(503, 'SERVICE_UNAVAILABLE'))).toBe(true);
    expect(isOutage(new UnexpectedReply('GET /: 502', 502, { retryAfterMs: undefined }))).toBe(true);
  });

  it('is nothing else', () => {
    expect(isOutage(serviceError(404, 'USER_NOT_FOUND'))).toBe(false);
    expect(isOutage(new UnexpectedReply('GET /: 200', 200, { retryAfterMs: undefined }))).toBe(false);
    expect(isOutage(new TypeError('No.'))).toBe(false);
  });

  it('is not waited for again and again if only one query fails', () => {
    expect(waitsForService(3, refused)).toBe(false);
    expect(waitsForService(0, new TypeError('No.'))).toBe(false);
  });
});
