import type { Quarantined } from '../../contract/errors.js';

/** The two kinds of names, by their fields. */
export type NameField = Quarantined['field'];

/** How many days a released name is kept for whoever had it last; 0 means that anyone can take it at once. */
export type QuarantineDays = Readonly<Record<NameField, number>>;

/** Who had a name last, and until when. */
export interface LastHolder {
  /** Null if the user was erased. */
  readonly serial: string | null;
  readonly releasedAt: Date;
}

/** What a plan needs to know about names that were released recently. */
export interface Quarantine {
  readonly days: QuarantineDays;
  /** Released before the plan, by name; usernames in the form used for comparison. */
  readonly released: Readonly<Record<NameField, ReadonlyMap<string, LastHolder>>>;
  /** The time at which the plan itself releases names. */
  readonly now: Date;
}

export const noQuarantine: Quarantine = {
  days: { employeeID: 0, username: 0 },
  released: { employeeID: new Map(), username: new Map() },
  now: new Date(0),
};

export function isOff({ employeeID, username }: QuarantineDays): boolean {
  return employeeID === 0 && username === 0;
}

const msPerDay = 86_400_000;

export function quarantineEnd(releasedAt: Date, days: number): Date {
  return new Date(releasedAt.getTime() + days * msPerDay);
}
