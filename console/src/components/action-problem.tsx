import { isRollcallError } from '@rollcall/client';
import { Problem } from './problem.js';

/** Why an action did not work. That the session has ended is told by the sign-in above the page, and mended there. */
export function ActionProblem({ title, error }: { title: string; error: unknown }) {
  if (!error || (isRollcallError(error) && error.status === 401)) return null;
  return <Problem title={title} error={error} />;
}
