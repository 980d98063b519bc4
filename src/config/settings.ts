import type { Setting } from './kinds.js';
import { accessSettings } from './settings/access.js';
import { backupSettings } from './settings/backups.js';
import { changeSettings } from './settings/changes.js';
import { databaseSettings } from './settings/database.js';
import { deliverySettings } from './settings/delivery.js';
import { feedSettings } from './settings/feeds.js';
import { limitSettings } from './settings/limits.js';
import { loggingSettings } from './settings/logging.js';
import { observabilitySettings } from './settings/observability.js';
import { passwordSettings } from './settings/passwords.js';
import { serverSettings } from './settings/server.js';
import { ssoSettings } from './settings/sso.js';
import { webhookSettings } from './settings/webhooks.js';

/** All settings except the limits. */
export const settings = {
  ...serverSettings,
  ...databaseSettings,
  ...accessSettings,
  ...ssoSettings,
  ...passwordSettings,
  ...deliverySettings,
  ...webhookSettings,
  ...feedSettings,
  ...changeSettings,
  ...backupSettings,
  ...loggingSettings,
  ...observabilitySettings,
} as const;

interface SettingGroup {
  readonly title: string;
  readonly settings: readonly Setting<unknown>[];
}

const groups: readonly SettingGroup[] = [
  { title: 'Server', settings: Object.values(serverSettings) },
  { title: 'Database', settings: Object.values(databaseSettings) },
  { title: 'Access', settings: Object.values(accessSettings) },
  { title: 'Single sign-on and recovery', settings: Object.values(ssoSettings) },
  { title: 'Passwords', settings: Object.values(passwordSettings) },
  { title: 'Messages', settings: Object.values(deliverySettings) },
  { title: 'Webhooks', settings: Object.values(webhookSettings) },
  { title: 'Feeds', settings: Object.values(feedSettings) },
  { title: 'Bulk calls, names and retention', settings: Object.values(changeSettings) },
  { title: 'Backups', settings: Object.values(backupSettings) },
  {
    title: 'Logs and metrics',
    settings: [...Object.values(loggingSettings), ...Object.values(observabilitySettings)],
  },
  { title: 'Limits', settings: limitSettings.map(({ setting }) => setting) },
];

/** Every setting, also those that only tests change. */
export const allSettings = groups.flatMap(({ settings }) => settings);

/** The sections of the generated documentation. */
export const settingGroups: readonly SettingGroup[] = groups.map(({ title, settings }) => ({
  title,
  settings: settings.filter(({ isInternal }) => !isInternal),
}));

/** The settings of operators, for the documentation and the command line. */
export const operatorSettings = settingGroups.flatMap(({ settings }) => settings);
