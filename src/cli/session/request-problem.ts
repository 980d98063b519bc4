import { ConnectionFailed, RequestFailed, RollcallError, UnexpectedReply } from '#client';
import { CommandProblem } from '../problem.js';

/** A request that failed, as a sentence with what to do about it. Undefined for errors of another kind. */
export function requestProblem(doing: string, error: unknown): CommandProblem | undefined {
  if (!(error instanceof RequestFailed)) return undefined;
  const cause = { cause: error };
  if (error instanceof ConnectionFailed) {
    const why = `The service does not answer: ${error.message}`;
    return new CommandProblem(
      'unreachable',
      `${why} Is it running, and is the URL right (ROLLCALL_URL, or the one of \`rollcall login\`)?`,
      cause,
    );
  }
  if (error instanceof UnexpectedReply) {
    const message = `${error.message} Is there a proxy or another service at that URL?`;
    return new CommandProblem('unreachable', message, cause);
  }
  if (!(error instanceof RollcallError)) return undefined;
  const { status, name, detail } = error;
  const message = `Rollcall cannot ${doing}: ${detail}${hint(name)}`;
  return new CommandProblem(status >= 500 ? 'unreachable' : 'refused', message, cause);
}

function hint(name: string): string {
  switch (name) {
    case 'ACCESS_TOKEN_REQUIRED':
    case 'ACCESS_TOKEN_INVALID':
      return ' Log in again: `rollcall login`.';
    case 'ACCESS_CLIENT_INVALID':
      return ' Check ROLLCALL_CLIENT_ID and ROLLCALL_CLIENT_SECRET, or log in again: `rollcall login`.';
    case 'ACCESS_PASSWORD_CHANGE_REQUIRED':
      return ' Choose one of your own with `rollcall login`, or in the console.';
    default:
      return '';
  }
}
