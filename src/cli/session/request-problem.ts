import { ConnectionFailed, RequestFailed, RollcallError, UnexpectedReply } from '#client';
import { CommandProblem } from '../problem.js';
import { harmless } from '../terminal/text-width.js';
import { calledUrl } from './connect.js';

/** A request that failed, as a sentence with what to do about it. Undefined for errors of another kind. */
export function requestProblem(doing: string, error: unknown): CommandProblem | undefined {
  if (error instanceof TypeError) return argumentProblem(error);
  if (!(error instanceof RequestFailed)) return undefined;
  const cause = { cause: error };
  const open = error.outcomeUnknown
    ? ' It may have been done all the same: look before you do it again.'
    : '';
  if (error instanceof ConnectionFailed) {
    const service = calledUrl() ? `The service at ${calledUrl()}` : 'The service';
    return new CommandProblem(
      'unreachable',
      `${service} does not answer (${reasonOf(error)}). Is it running, and is the URL right (ROLLCALL_URL, or the one of \`rollcall login\`)?${open}`,
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

/** What the client itself refuses to send: most likely a variable of a script that is empty. */
function argumentProblem(error: TypeError): CommandProblem | undefined {
  if (/^path\.\w+ cannot be/.test(error.message)) {
    return new CommandProblem('wrongUse', 'An ID is empty, or is no ID: is a variable not set?');
  }
  return error.message.startsWith('The token ')
    ? new CommandProblem('wrongUse', `${error.message} Check ROLLCALL_TOKEN.`)
    : undefined;
}

/** "ECONNREFUSED", where the system has a word for it. */
function reasonOf({ message, cause }: RequestFailed): string {
  const { code } = Object(Object(cause).cause) as { code?: string };
  return code ?? message.replace(/\.$/, '');
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
