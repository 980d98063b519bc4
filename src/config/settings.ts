import type { Setting } from './kinds.js';
import { accessSettings } from './settings/access.js';
import { backupSettings } from './settings/backups.js';
import { changeSettings } from './settings/changes.js';
import { databaseSettings } from './settings/database.js';
import { deliverySettings } from './settings/delivery.js';
import { limitSettings } from './settings/limits.js';
import { loggingSettings } from './settings/logging.js';
import { observabilitySettings } from './settings/observability.js';
import { passwordSettings } from './settings/passwords.js';
import { serverSettings } from './settings/server.js';
import { webhookSettings } from './settings/webhooks.js';

/** All settings except the limits, in the order in which the generated documentation lists them. */
export const settings = {
  ...serverSettings,
  ...databaseSettings,
  ...accessSettings,
  ...passwordSettings,
  ...deliverySettings,
  ...webhookSettings,
  ...changeSettings,
  ...backupSettings,
  ...loggingSettings,
  ...observabilitySettings,
} as const;

/** Every setting, for the documentation and the command line. */
export const allSettings: readonly Setting<unknown>[] = [
  ...Object.values(settings),
  ...limitSettings.map(({ setting }) => setting),
];
