import type { Failure, Quarantined } from '../../../contract/errors.js';
import { type NameField, type Quarantine, quarantineEnd } from '../../names/quarantine.js';
import { itemFailure } from '../../read-fields.js';
import { dateAndTime, dateText } from '../../time-text.js';

/** A name that a user requests. */
export interface WantedName {
  readonly field: NameField;
  readonly value: string;
  /** The value in the form used for comparison. */
  readonly key: string;
  /** Who wants it. */
  readonly serial: string;
}

/** Why the name cannot be taken although nobody has it. */
export function releasedBefore(
  { days, released }: Quarantine,
  position: number | undefined,
  { field, value, key, serial }: WantedName,
): Failure | undefined {
  const last = released[field].get(key);
  if (last === undefined || last.serial === serial) return undefined;
  return nameQuarantined(position, {
    field,
    value,
    position: null,
    serial: last.serial,
    releasedAt: last.releasedAt.toISOString(),
    quarantinedUntil: quarantineEnd(last.releasedAt, days[field]).toISOString(),
  });
}

/** The same for a name that another item of the call releases. */
export function releasedWithin(
  { days, now }: Quarantine,
  position: number | undefined,
  { field, value, serial }: WantedName,
  by: { readonly serial: string; readonly position: number },
): Failure | undefined {
  if (days[field] === 0 || by.serial === serial) return undefined;
  return nameQuarantined(position, {
    field,
    value,
    position: by.position,
    serial: by.serial,
    releasedAt: now.toISOString(),
    quarantinedUntil: quarantineEnd(now, days[field]).toISOString(),
  });
}

/** Callers who may not read users learn only until when they have to wait. */
export function withoutLastHolder(position: number | undefined, quarantined: Quarantined): Failure {
  return nameQuarantined(position, { ...quarantined, serial: null, releasedAt: null });
}

function nameQuarantined(position: number | undefined, quarantined: Quarantined): Failure {
  const { field, value, quarantinedUntil } = quarantined;
  const name = field === 'employeeID' ? 'employee ID' : 'username';
  return itemFailure(
    field === 'employeeID' ? 'USER_EMPLOYEE_ID_EXISTS' : 'USER_USERNAME_EXISTS',
    position,
    `the ${name} "${value}" ${releaseText(quarantined)} and can be given to someone else from ${dateAndTime(quarantinedUntil)}. Use another one, or ask an administrator to release it.`,
    { quarantined },
  );
}

function releaseText({ position, releasedAt }: Quarantined): string {
  if (position !== null) return `is released by items[${position}] of this call`;
  return releasedAt === null ? 'was released recently' : `was released on ${dateText(releasedAt)}`;
}
