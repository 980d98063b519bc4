import type { PasswordMessage } from '../../src/delivery/message.js';

/** An email to Ada. Tests override what they are about. */
export function aPasswordMessage(overrides: Partial<PasswordMessage> = {}): PasswordMessage {
  return {
    deliveryId: '019a2b3c-0000-7000-8000-000000000001',
    attempt: 1,
    language: 'en',
    kind: 'initial-password',
    to: { email: 'ada@example.com', phone: null },
    user: { name: 'Ada Lovelace', username: 'ada', employeeID: 'E1001', signInName: 'ada' },
    password: 'hJ7kPmQ2rTx9wVbN4zEc',
    expiresAt: new Date('2026-11-22T08:30:00Z'),
    ...overrides,
  };
}

export const serviceUrl = 'https://people.example.com';
