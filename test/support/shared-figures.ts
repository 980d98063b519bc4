import type { SharedFigures } from '../../src/telemetry/shared-figures.js';

export const someFigures: SharedFigures = {
  deliveries: { waiting: 3, held: 0, dormant: 1, parked: 7 },
  oldestDueDeliverySeconds: 0,
  scimTargets: { active: 1, failing: 0, stopped: 0, paused: 0 },
  scimQueue: { queued: 3, failed: 1 },
  webhooks: { active: 1, failing: 0, disabled: 0, paused: 0 },
  oldestWebhookEventSeconds: 0,
  plannedCalls: { planned: 1, awaitingApproval: 0, awaitingTakeover: 0, running: 0 },
  oldestDueCallSeconds: 0,
  feeds: { waiting: 0, failed: 0, running: 0, paused: 0, idle: 1 },
  oldestDueFeedSeconds: 0,
  lastChange: 100,
  indexing: { changesBehind: 0, secondsBehind: 0, isBuilding: false },
  databaseBytes: 1_000_000,
};
