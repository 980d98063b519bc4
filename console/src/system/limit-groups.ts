import type { Schemas } from '@rollcall/client';
import type { FactGroup } from '../components/facts.js';
import { settingsCopy } from '../copy/copy.js';
import { formatNumber } from '../copy/format.js';

const copy = settingsCopy.limits;

type ServiceSettings = Schemas['SettingsReply']['data'];

const quarantine = (days: number) => (days === 0 ? copy.none : copy.days(days));
const onOff = (isOn: boolean) => (isOn ? copy.on : copy.off);

/** In the largest unit that divides it. */
export function formatSeconds(seconds: number): string {
  if (seconds % 86_400 === 0) return copy.days(seconds / 86_400);
  if (seconds % 3_600 === 0) return copy.hours(seconds / 3_600);
  return copy.minutes(Math.round(seconds / 60));
}

const hours = (count: number) => formatSeconds(count * 3_600);

/** What users of the console may want to know, in their words. */
export function limitGroups(settings: ServiceSettings): FactGroup[] {
  const { limits } = settings;
  const limit = (name: string) => limits[name as keyof typeof limits] as number;
  const count = (name: string) => formatNumber(limit(name));
  const group = (title: string, rows: Partial<Record<keyof typeof copy.names, string>>): FactGroup => ({
    title,
    rows: Object.entries(rows).map(([name, value]) => [copy.names[name as keyof typeof copy.names], value]),
  });
  return [
    group(copy.groups.service, {
      version: settings.version,
      database: copy.database[settings.database],
      timeZone: settings.timeZone,
      directories: copy.directories[settings.directories],
    }),
    group(copy.groups.safety, {
      safetyLimitPercent:
        settings.safetyLimitPercent === 0 ? copy.none : copy.percent(settings.safetyLimitPercent),
      ...(settings.safetyLimitPercent === 0
        ? {}
        : { safetyApproval: settings.safetyApproval ? copy.approval : copy.refused }),
      plannedCallExpiryHours:
        settings.plannedCallExpiryHours === 0 ? copy.never : hours(settings.plannedCallExpiryHours),
    }),
    group(copy.groups.bulk, {
      bulkItemsMax: count('bulkItemsMax'),
      bulkBodyMaxBytes: copy.megabytes(Math.floor(limit('bulkBodyMaxBytes') / 1024 ** 2)),
      matchingUsersMax: count('matchingUsersMax'),
    }),
    group(copy.groups.signIn, {
      sessionLifetimeSeconds: formatSeconds(settings.sessionLifetimeSeconds),
      sessionIdleSeconds: formatSeconds(settings.sessionIdleSeconds),
      initialPassword: copy.initialPassword[settings.initialPassword],
      initialPasswordLifetimeHours: hours(settings.initialPasswordLifetimeHours),
      initialPasswordRules: copy.passwordRules[settings.initialPasswordRules],
      signInDelayMaxSeconds: formatSeconds(limit('signInDelayMaxSeconds')),
    }),
    group(copy.groups.names, {
      employeeIdQuarantineDays: quarantine(settings.employeeIdQuarantineDays),
      usernameQuarantineDays: quarantine(settings.usernameQuarantineDays),
    }),
    group(copy.groups.messages, {
      changeNotices: onOff(settings.changeNotices),
      bulkChangeNotices: onOff(settings.changeNotices && settings.bulkChangeNotices),
      deliveriesPerMinuteMax: count('deliveriesPerMinuteMax'),
    }),
  ];
}
