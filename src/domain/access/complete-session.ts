import type { UserActor } from '../caller.js';

/** Whether the user has done all that a sign-in asks for. Until then, a session is worth nothing to others. */
export function isSessionComplete({ mustChangePassword }: Pick<UserActor, 'mustChangePassword'>): boolean {
  return !mustChangePassword;
}
