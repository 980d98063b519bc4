import { RollcallError } from '#client';

/** What became of one of the users that a command was given. */
export type UserOutcome =
  | { readonly id: string; readonly ok: true; readonly name: string; readonly changed: boolean }
  | FailedUser;

export interface FailedUser {
  readonly id: string;
  readonly ok: false;
  readonly error: { readonly name: string; readonly code: number; readonly detail: string };
}

/** A problem of one user, which does not concern the others. */
export function failedUser(id: string, error: unknown): FailedUser {
  if (!(error instanceof RollcallError) || ![400, 404, 409].includes(error.status)) throw error;
  const { name, code, detail } = error;
  return { id, ok: false, error: { name, code, detail } };
}
