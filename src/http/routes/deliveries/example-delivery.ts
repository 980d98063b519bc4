import { exampleSerial } from '../users/examples.js';

export const exampleDelivery = {
  id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5b',
  userSerial: exampleSerial,
  kind: 'initial-password',
  state: 'parked',
  heldReason: null,
  channel: null,
  attempts: 12,
  createdAt: '2026-11-15T08:30:00.000Z',
  nextAttemptAt: null,
  sentAt: null,
  lastError: 'The mail server refused the recipient (550).',
  requestId: 'nightly-2026-11-15',
};
