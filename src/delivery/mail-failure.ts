import type { NodemailerError } from 'nodemailer';
import { DeliveryFailed, shownCode } from './message.js';

export const mailServerSilent = 'The mail server did not answer in time.';

/**
 * A failure of nodemailer as a reason: how far the talk with the mail server came, and the code that ended it. The
 * words of the server stay out, because servers like to repeat addresses in them.
 */
export function mailFailure(error: unknown): DeliveryFailed {
  return new DeliveryFailed(reasonOf(error instanceof Error ? error : new Error()));
}

const connectionLost = 'The mail server closed the connection before it confirmed the message.';

function reasonOf({ code, command, responseCode, originalCode }: NodemailerError): string {
  const answer = typeof responseCode === 'number' ? ` (${responseCode})` : '';
  switch (code) {
    case 'ETIMEDOUT':
      return mailServerSilent;
    case 'EDNS':
      return `The mail server cannot be reached${shownCode(originalCode)}.`;
    case 'ESOCKET':
      return socketReason(originalCode);
    case 'ECONNECTION':
      return answer === '' ? connectionLost : `The mail server ended the session${answer}.`;
    case 'ETLS':
      return `The connection to the mail server could not be secured${answer || shownCode(originalCode)}.`;
    case 'EAUTH':
      return answer === ''
        ? 'The mail server offers no way to sign in with the credentials it is given.'
        : `The mail server refused the credentials${answer}.`;
    case 'EENVELOPE':
      return `The mail server refused the ${refusedBy(command)}${answer}.`;
    case 'EMESSAGE':
      return `The mail server refused the message${answer}.`;
    case 'EPROTOCOL':
      return answer === ''
        ? 'The mail server does not answer as a mail server does.'
        : `The mail server refused the connection${answer}.`;
    default:
      return `The message could not be given to the mail server${shownCode(code)}.`;
  }
}

function refusedBy(command: string | undefined): string {
  if (command === 'MAIL FROM') return 'sender';
  return command === 'RCPT TO' ? 'recipient' : 'message';
}

/** The system names what befalls connections E-something; the names of what is wrong with TLS are of other kinds. */
function socketReason(originalCode: string | undefined): string {
  if (originalCode === undefined || originalCode === 'ECONNRESET' || originalCode === 'EPIPE')
    return connectionLost;
  return /^E(?!RR_|PROTO$)/.test(originalCode)
    ? `The mail server cannot be reached${shownCode(originalCode)}.`
    : `The connection to the mail server could not be secured${shownCode(originalCode)}.`;
}
