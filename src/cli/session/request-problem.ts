import { ConnectionFailed, InvalidArgument, RequestFailed, RollcallError, UnexpectedReply } from '#client';
import { CommandProblem } from '../problem.js';
import { harmless } from '../terminal/text-width.js';
import { calledUrl } from './connect.js';

/** A request that failed, as a sentence with what to do about it. Undefined for errors of another kind. */
export function requestProblem(doing: string, error: unknown): CommandProblem | undefined {
  if (error instanceof InvalidArgument) return argumentProblem(error);
  if (!(error instanceof RequestFailed)) return undefined;
  const cause = { cause: error };
  const open = error.outcomeUnknown
    ? ' It may have been done all the same: look before you do it again.'
    : '';
  if (error instanceof ConnectionFailed) {
    const service = calledUrl() ? `The service at ${calledUrl()}` : 'The service';
    return new CommandProblem(
      'unreachable',
      `${service} does not answer (${error.reason}). Is it running, and is the URL right (ROLLCALL_URL, or the one of \`rollcall login\`)?${open}`,
      cause,
    );
  }
  if (error instanceof UnexpectedReply) {
    const message = `${error.message} Is there a proxy or another service at ${calledUrl() ?? 'that URL'}?${open}`;
    return new CommandProblem('unreachable', message, cause);
  }
  if (!(error instanceof RollcallError)) return undefined;
  const { status, name, detail } = error;
  const message = `Rollcall cannot ${doing}: ${harmless(detail)}${hint(name)}`;
  return new CommandProblem(status >= 500 ? 'unreachable' : 'refused', message, cause);
}

/** What the client itself does not send: most likely a variable of a script that is empty. */
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
      return ' Choose one of your own with `rollcall login`, or in the console.';
    default:
      return '';
  }
}
