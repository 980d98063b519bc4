import { exampleSerial } from '../users/examples.js';

export const exampleCallId = '0198c0de-7a11-7000-8000-5f1e2d3c4b5d';

export const exampleChange = {
  sequence: 4711,
  at: '2026-11-15T08:30:00.000Z',
  kind: 'updated',
  userSerial: exampleSerial,
  employeeID: 'E2001',
  version: 3,
  actor: { kind: 'client', id: 'client-1f2e3d4c5b6a' },
  requestId: 'nightly-2026-11-15',
  callId: exampleCallId,
  fields: { employeeID: { before: 'E1001', after: 'E2001' } },
};

export const exampleEvent = {
  type: 'user.renamed',
  timestamp: exampleChange.at,
  data: {
    sequence: exampleChange.sequence,
    types: ['user.renamed', 'user.updated'],
    userSerial: exampleSerial,
    employeeID: exampleChange.employeeID,
    version: exampleChange.version,
    callId: exampleCallId,
    actor: exampleChange.actor,
    requestId: exampleChange.requestId,
    fields: exampleChange.fields,
  },
};

export const exampleCall = {
  id: exampleCallId,
  kind: 'update-bulk',
  state: 'done',
  actor: { kind: 'client', id: 'client-1f2e3d4c5b6a' },
  requestId: 'nightly-2026-11-15',
  startedAt: '2026-11-15T08:30:00.000Z',
  finishedAt: '2026-11-15T08:30:01.000Z',
  items: 10_000,
  succeeded: 9_998,
  failed: 2,
  changes: 312,
  undoes: null,
  source: 'users-2026-11-15.xlsx',
  note: 'Nightly import',
  replaces: null,
  undone: null,
  patch: null,
  plan: null,
  undoneBy: null,
};

export const exampleFoundCall = {
  ...exampleCall,
  effects: { created: 14, reactivated: 2, deactivated: 6, renamed: 0, updated: 290, removed: 0 },
};

export const examplePlannedCall = {
  ...exampleCall,
  state: 'planned',
  finishedAt: null,
  items: 1,
  succeeded: 0,
  failed: 0,
  changes: 0,
  plan: {
    plannedAt: '2026-11-15T08:30:00.000Z',
    effectiveAt: '2026-12-30T23:00:00.000Z',
    lastWorkingDay: null,
    expiresAt: '2027-01-06T23:00:00.000Z',
    ifChanged: 'skip',
    author: exampleCall.actor,
    needsApproval: true,
    approvedAt: '2026-11-16T09:00:00.000Z',
    approvedBy: { kind: 'person', id: exampleSerial },
    cancelledAt: null,
    cancelledBy: null,
    cancelReason: null,
    isRejected: false,
    effects: { updated: 1 },
    needsTakeover: false,
    filter: null,
  },
};
