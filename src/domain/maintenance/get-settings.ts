import { type Limits, operatorLimitNames } from '../../contract/limits.js';
import { version } from '../../contract/version.js';
import type { SessionLifetime } from '../access/sessions.js';
import type { LimitedDatabase } from '../database.js';
import type { QuarantineSettings } from '../names/quarantined-names.js';
import type { NoticeSettings } from '../users/update-consequences.js';
import type { InitialPasswordRules } from '../users/user-rules.js';

export interface SettingsContext
  extends LimitedDatabase,
    QuarantineSettings,
    NoticeSettings,
    InitialPasswordRules,
    SessionLifetime {
  readonly timeZone: string;
  readonly strictDirectories: boolean;
  readonly initialPassword: 'message' | 'link';
  readonly initialPasswordLifetimeHours: number;
  /** Whether messages are written to files, because nothing that sends them is configured. */
  readonly writesToFiles: { readonly email: boolean; readonly sms: boolean };
  readonly isOpenIdProvider: boolean;
  readonly safetyLimitPercent: number;
  readonly safetyApproval: boolean;
  readonly plannedCallExpiryHours: number;
}

/** What administrators may know about the configuration: nothing secret, no addresses, no paths. */
export function getSettings(context: SettingsContext) {
  return {
    version,
    database: context.database.kind,
    timeZone: context.timeZone,
    directories: context.strictDirectories ? 'strict' : 'open',
    sessionLifetimeSeconds: context.sessionLifetimeSeconds,
    sessionIdleSeconds: context.sessionIdleSeconds,
    initialPassword: context.initialPassword,
    initialPasswordLifetimeHours: context.initialPasswordLifetimeHours,
    initialPasswordRules: context.initialPasswordCheck ? 'full' : 'any',
    openIdProvider: context.isOpenIdProvider,
    emailDelivery: context.writesToFiles.email ? 'files' : 'smtp',
    smsDelivery: context.writesToFiles.sms ? 'files' : 'gateway',
    changeNotices: context.changeNotices,
    bulkChangeNotices: context.bulkChangeNotices,
    safetyLimitPercent: context.safetyLimitPercent,
    safetyApproval: context.safetyApproval,
    plannedCallExpiryHours: context.plannedCallExpiryHours,
    employeeIdQuarantineDays: context.quarantineDays.employeeID,
    usernameQuarantineDays: context.quarantineDays.username,
    limits: pickLimits(context.limits),
  };
}

function pickLimits(limits: Limits) {
  return Object.fromEntries(operatorLimitNames.map((name) => [name, limits[name]]));
}
