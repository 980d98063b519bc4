import { expect, test } from 'vitest';
import { authenticationBy } from '../../src/domain/openid/state-store.js';

test.each([
  ['password', null, { amr: ['pwd'] }],
  ['password', 'code', { amr: ['pwd', 'otp', 'mfa'] }],
  ['password', 'devicePasskey', { amr: ['pwd', 'hwk', 'mfa'] }],
  ['passkey', 'devicePasskey', { acr: 'phr', amr: ['hwk', 'user', 'mfa'] }],
  ['passkey', 'syncedPasskey', { acr: 'phr', amr: ['swk', 'user', 'mfa'] }],
  ['provider', null, { amr: [] }],
] as const)('what applications learn about a %s with %s', (method, factor, told) => {
  expect(authenticationBy({ method, factor })).toEqual(told);
});
