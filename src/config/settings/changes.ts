import { choice, wholeNumber } from '../kinds.js';

/** How much one bulk call may change, and how long records are kept. */
export const changeSettings = {
  safetyLimitPercent: {
    ...wholeNumber(
      'ROLLCALL_SAFETY_LIMIT_PERCENT',
      0,
      0,
      100,
      'Percentage of all users that one bulk call may deactivate, rename, or clear the username, email or phone of, without `?confirm=`. 0 turns the safety limit off.',
    ),
    formerName: 'ROLLCALL_BULK_BRAKE_PERCENT',
  },
  directories: choice(
    'ROLLCALL_DIRECTORIES',
    ['open', 'strict'],
    'open',
    'Whether users can have any organization and tag (`open`: unknown serials appear in the directories), or only those in the directories (`strict`).',
  ),
  changesDays: wholeNumber(
    'ROLLCALL_CHANGES_DAYS',
    730,
    4,
    36_500,
    'Days to keep the change log. Older changes can no longer be undone or sent to webhooks.',
  ),
  accessEventsDays: wholeNumber(
    'ROLLCALL_ACCESS_EVENTS_DAYS',
    365,
    1,
    36_500,
    'Days to keep sign-ins, access changes and completed deliveries on record.',
  ),
} as const;
