import type { UserActor } from '../caller.js';

/** What a session has to be used for first. */
export type Restriction = 'factor' | 'password' | 'enrolment';

/** A password that was sent is replaced before a factor is added, and after one was given. */
export function restrictionOf({
  secondFactor,
  mustChangePassword,
}: Pick<UserActor, 'secondFactor' | 'mustChangePassword'>): Restriction | undefined {
  if (secondFactor === 'required') return 'factor';
  if (mustChangePassword) return 'password';
  return secondFactor === 'enrol' ? 'enrolment' : undefined;
}

/** Whether the user has done all that a sign-in asks for. Until then, a session is worth nothing to others. */
export function isSessionComplete(actor: Pick<UserActor, 'secondFactor' | 'mustChangePassword'>): boolean {
  return restrictionOf(actor) === undefined;
}
