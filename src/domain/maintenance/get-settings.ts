import { type Limits, operatorLimitNames } from '../../contract/limits.js';
import { version } from '../../contract/version.js';
import type { Context } from '../context.js';

/** What administrators may know about the configuration: nothing secret, no addresses, no paths. */
export function getSettings(context: Context) {
  return {
    version,
    database: context.database.kind,
    timeZone: context.timeZone,
    directories: context.strictDirectories ? 'strict' : 'open',
    sessionLifetimeSeconds: context.sessionLifetimeSeconds,
    initialPasswordLifetimeHours: context.initialPasswords.lifetimeHours,
    initialPasswordRules: context.initialPasswords.check ? 'full' : 'any',
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
