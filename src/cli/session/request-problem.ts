import { ConnectionFailed, InvalidArgument, RequestFailed, RollcallError, UnexpectedReply } from '#client';
import { CommandProblem } from '../problem.js';
import { sanitize } from '../terminal/text-width.js';
import { lastUrl } from './connect.js';

/** A failed request as a sentence that says what to do. Undefined for other errors. */
export function requestProblem(action: string, error: unknown): CommandProblem | undefined {
  if (error instanceof InvalidArgument) return argumentProblem(error);
  if (!(error instanceof RequestFailed)) return undefined;
  const cause = { cause: error };
  const unknown = error.outcomeUnknown ? ' It may have succeeded nevertheless: check before you retry.' : '';
  if (error instanceof ConnectionFailed) {
    const service = lastUrl() ? `The service at ${lastUrl()}` : 'The service';
    return new CommandProblem(
      'unreachable',
      `${service} does not respond (${error.reason}). Check that it is running and that the URL is correct (ROLLCALL_URL, or the one from \`rollcall login\`).${unknown}`,
      cause,
    );
  }
  if (error instanceof UnexpectedReply) {
    const message = `${error.message} Check whether ${lastUrl() ?? 'the URL'} belongs to a proxy or another service.${unknown}`;
    return new CommandProblem('unreachable', message, cause);
  }
  if (!(error instanceof RollcallError)) return undefined;
  const { status, name, detail } = error;
  const message = `Could not ${action}: ${sanitize(detail)}${hint(name)}`;
  return new CommandProblem(status >= 500 ? 'unreachable' : 'refused', message, cause);
}

/** Not sent by the client; usually an empty variable in a script. */
function argumentProblem({ argument, message }: InvalidArgument): CommandProblem {
  return argument === 'path'
    ? new CommandProblem('wrongUse', 'An ID is empty or invalid. Check that all variables are set.')
    : new CommandProblem('wrongUse', `${message} Check ROLLCALL_TOKEN.`);
}

function hint(name: string): string {
  switch (name) {
    case 'ACCESS_TOKEN_REQUIRED':
    case 'ACCESS_TOKEN_INVALID':
      return ' Log in again: `rollcall login`.';
    case 'ACCESS_CLIENT_INVALID':
      return ' Check ROLLCALL_CLIENT_ID and ROLLCALL_CLIENT_SECRET, or log in again: `rollcall login`.';
    case 'ACCESS_PASSWORD_CHANGE_REQUIRED':
      return ' Choose a new password with `rollcall login`, or in the console.';
    case 'FEED_NOT_FOUND':
      return ' See `rollcall feeds list`.';
    case 'SCIM_TARGET_NOT_FOUND':
      return ' See `rollcall scim targets list`.';
    default:
      return '';
  }
}
