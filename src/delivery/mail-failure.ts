import type { NodemailerError } from 'nodemailer';
import { codeText, DeliveryFailed } from './message.js';

export const mailServerTimeout = 'The mail server did not respond in time.';

/**
 * Turns a nodemailer error into a reason: the stage of the SMTP session and the code. The server's own text is left out,
 * because servers tend to repeat addresses in it.
 */
export function mailFailure(error: unknown): DeliveryFailed {
  return new DeliveryFailed(reasonOf(error instanceof Error ? error : new Error()));
}

const connectionLost = 'The mail server closed the connection before it confirmed the message.';

function reasonOf({ code, command, responseCode, originalCode }: NodemailerError): string {
  const answer = typeof responseCode === 'number' ? ` (${responseCode})` : '';
  switch (code) {
    case 'ETIMEDOUT':
      return mailServerTimeout;
    case 'EDNS':
      return `Cannot reach the mail server${codeText(originalCode)}.`;
    case 'ESOCKET':
      return socketReason(originalCode);
    case 'ECONNECTION':
      return answer === '' ? connectionLost : `The mail server ended the session${answer}.`;
    case 'ETLS':
      return `Could not establish a secure connection to the mail server${answer || codeText(originalCode)}.`;
    case 'EAUTH':
      return answer === ''
        ? 'The mail server supports no authentication method for the configured credentials.'
        : `The mail server refused the credentials${answer}.`;
    case 'EENVELOPE':
      return `The mail server refused the ${refusedBy(command)}${answer}.`;
    case 'EMESSAGE':
      return `The mail server refused the message${answer}.`;
    case 'EPROTOCOL':
      return answer === ''
        ? 'The server does not respond like a mail server.'
        : `The mail server refused the connection${answer}.`;
    default:
      return `Could not hand the message to the mail server${codeText(code)}.`;
  }
}

function refusedBy(command: string | undefined): string {
  if (command === 'MAIL FROM') return 'sender';
  return command === 'RCPT TO' ? 'recipient' : 'message';
}

/** Codes of connection errors start with E; those of TLS errors follow other patterns. */
function socketReason(originalCode: string | undefined): string {
  if (originalCode === undefined || originalCode === 'ECONNRESET' || originalCode === 'EPIPE')
    return connectionLost;
  return /^E(?!RR_|PROTO$)/.test(originalCode)
    ? `Cannot reach the mail server${codeText(originalCode)}.`
    : `Could not establish a secure connection to the mail server${codeText(originalCode)}.`;
}
