import { isRollcallError } from '@rollcall/client';
import { Problem } from './problem.js';

/** Expired sessions are left to the sign-in dialog. */
export function ActionProblem({ title, error }: { title: string; error: unknown }) {
  if (!error || (isRollcallError(error) && error.status === 401)) return null;
  return <Problem title={title} error={error} />;
}
