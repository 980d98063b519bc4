import { isTimeZone } from '../../contract/time-zone.js';
import { choice, optionalWholeNumber, type Setting, wholeNumber } from '../kinds.js';

const quarantineDaysMax = 36_500;

/** How much one bulk call may change, when names can be reused, and how long records are kept. */
export const changeSettings = {
  safetyLimitPercent: wholeNumber(
    'ROLLCALL_SAFETY_LIMIT_PERCENT',
    0,
    0,
    100,
    'Percentage of all users that one bulk call may deactivate, erase, rename, or clear the username, email or phone of, without `?confirm=`. 0 turns the safety limit off.',
  ),
  safetyApproval: choice(
    'ROLLCALL_SAFETY_APPROVAL',
    ['off', 'required'],
    'off',
    'Whether a bulk call that exceeds the safety limit waits until someone else approves it (`required`), or needs `?confirm=` (`off`).',
  ),
  plannedCallExpiryHours: wholeNumber(
    'ROLLCALL_PLANNED_CALL_EXPIRY_HOURS',
    168,
    0,
    87_600,
    'Hours after which a planned call expires if it could not run, or was not approved. 0 means never.',
  ),
  timeZone: {
    name: 'ROLLCALL_TIME_ZONE',
    description:
      'Time zone in which a date without a time, such as `effectiveAt=2026-12-31`, begins at midnight, and in which messages state times.',
    fallback: 'UTC',
    valueName: 'zone',
    expects: 'a time zone such as Europe/Berlin',
    parse: (value: string) => (isTimeZone(value) ? value : undefined),
  } satisfies Setting<string>,
  employeeIdQuarantineDays: wholeNumber(
    'ROLLCALL_EMPLOYEE_ID_QUARANTINE_DAYS',
    0,
    0,
    quarantineDaysMax,
    'Days for which a released employee ID can only be given back to its last user. 0 means none.',
  ),
  usernameQuarantineDays: wholeNumber(
    'ROLLCALL_USERNAME_QUARANTINE_DAYS',
    0,
    0,
    quarantineDaysMax,
    'Days for which a released username can only be given back to its last user. 0 means none.',
  ),
  directories: choice(
    'ROLLCALL_DIRECTORIES',
    ['open', 'strict'],
    'open',
    'Whether users can have any organization and tag (`open`), or only those in the directories (`strict`).',
  ),
  changesDays: wholeNumber(
    'ROLLCALL_CHANGES_DAYS',
    730,
    4,
    36_500,
    'Days to keep the change log. Bulk calls stay listed twice as long.',
  ),
  accessEventsDays: wholeNumber(
    'ROLLCALL_ACCESS_EVENTS_DAYS',
    365,
    1,
    36_500,
    'Days to keep sign-ins and access changes on record, and messages unless `ROLLCALL_DELIVERIES_DAYS` is set.',
  ),
  deliveriesDays: optionalWholeNumber(
    'ROLLCALL_DELIVERIES_DAYS',
    1,
    36_500,
    'Days to keep messages on record once they are sent, cancelled or parked, and files in the outbox. Unset: as `ROLLCALL_ACCESS_EVENTS_DAYS`.',
  ),
  formerNamesDays: wholeNumber(
    'ROLLCALL_FORMER_NAMES_DAYS',
    3_650,
    0,
    36_500,
    'Days to remember former employee IDs and usernames, at least as long as the change log. 0 means forever.',
  ),
  eraseInactiveDays: wholeNumber(
    'ROLLCALL_ERASE_INACTIVE_DAYS',
    0,
    0,
    36_500,
    'Days of inactivity after which users are [erased](privacy.md#erase). 0 turns it off.',
  ),
} as const;
