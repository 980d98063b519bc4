import type { DeliveryKind, DeliveryProblem, Language, NoticeSubject } from '../contract/enums.js';
import type { NoticeText } from './notice-text.js';

/** The data of a message to a user. The templates provide the text. */
export type Message = PasswordMessage | InvitationMessage | NoticeMessage | ConfirmationMessage | LinkMessage;

export type NoticeKind = 'account-changed';
export type ConfirmationKind = 'confirm-contact';
export type LinkKind = 'password-link';
export type PasswordKind = Exclude<DeliveryKind, NoticeKind | ConfirmationKind | LinkKind>;

interface AnyMessage {
  readonly deliveryId: string;
  /** Increases with every attempt, so that each has its own ID at the receiver. */
  readonly attempt: number;
  readonly language: Language;
  readonly to: { readonly email: string | null; readonly phone: string | null };
  readonly user: {
    readonly name: string;
    readonly username: string | null;
    readonly employeeID: string;
    /** The username or the employee ID; null if the user has no username and the employee ID is another's username. */
    readonly signInName: string | null;
  };
}

export interface PasswordMessage extends AnyMessage {
  readonly kind: PasswordKind;
  readonly password: string;
  readonly expiresAt: Date;
}

/** A link to choose a password, instead of an initial one. */
export interface InvitationMessage extends AnyMessage {
  readonly kind: 'initial-link';
  /** The user had a password before. */
  readonly isReset: boolean;
  readonly token: string;
  readonly expiresAt: Date;
}

/** Says which fields of the account changed, never the new values. */
export interface NoticeMessage extends AnyMessage {
  readonly kind: NoticeKind;
  readonly changed: readonly NoticeSubject[];
  readonly changedAt: Date;
}

/** Goes to an email or phone that the user wants to have. */
export interface ConfirmationMessage extends AnyMessage {
  readonly kind: ConfirmationKind;
  readonly code: string;
  readonly expiresAt: Date;
}

/** A link to choose a new password. */
export interface LinkMessage extends AnyMessage {
  readonly kind: LinkKind;
  readonly token: string;
  readonly expiresAt: Date;
}

/** A notice to someone with a role, about what needs people. */
export interface NoticeMail {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly language: Language;
  readonly to: string;
  readonly name: string;
  readonly text: NoticeText;
}

interface FailureFacts {
  readonly code?: unknown;
  /** Where it happened, at the end of the sentence. */
  readonly place?: string;
  readonly isFinal?: boolean;
}

/** In English. Where a code is known, it follows in parentheses. */
const reasons: Readonly<Record<DeliveryProblem, string>> = {
  userGone: 'The user no longer exists.',
  noAddress: 'The user has neither an email address nor a phone number.',
  emailInvalid: 'Mail cannot be sent to this email address. Correct it, then send the message again.',
  phoneInvalid:
    'Text messages cannot be sent to this phone number. Correct it, or add an email address, then send the message again.',
  passwordLost: 'The given password cannot be decrypted. Reset the password to send a new one.',
  mailTimedOut: 'The mail server did not respond in time.',
  mailUnreachable: 'Cannot reach the mail server.',
  mailClosed: 'The mail server closed the connection before it confirmed the message.',
  mailEnded: 'The mail server ended the session.',
  mailTls: 'Could not establish a secure connection to the mail server.',
  mailNoAuthentication: 'The mail server supports no authentication method for the configured credentials.',
  mailCredentialsRefused: 'The mail server refused the credentials.',
  mailSenderRefused: 'The mail server refused the sender.',
  mailRecipientRefused: 'The mail server refused the recipient.',
  mailMessageRefused: 'The mail server refused the message.',
  mailConnectionRefused: 'The mail server refused the connection.',
  mailInvalidResponse: 'The server does not respond like a mail server.',
  mailFailed: 'Could not hand the message to the mail server.',
  smsTimedOut: 'The SMS gateway did not respond in time.',
  smsUnreachable: 'Cannot reach the SMS gateway.',
  smsClosed: 'The SMS gateway closed the connection before it responded.',
  smsRedirected: 'The SMS gateway responded with a redirect, which is not followed.',
  smsRefused: 'The SMS gateway refused the message.',
  outboxFailed: 'Cannot write to the outbox.',
  stopped: 'The service stopped before the mail server confirmed the message.',
  busy: 'The node was too busy to hash the password.',
  internal: 'Internal error. See the log of the service.',
};

/**
 * The message was not sent, or it is unknown whether it was. `reason` is a short sentence for administrators without
 * secrets or personal data: it never repeats what the other side said.
 */
export class DeliveryFailed extends Error {
  override readonly name = 'DeliveryFailed';
  readonly problem: DeliveryProblem;
  /** What the other side or the system gave as the cause. Not `code`: an outage of the database is known by that. */
  readonly problemCode: string | null;
  readonly reason: string;
  /** Another attempt would fail in the same way. */
  readonly isFinal: boolean;

  constructor(problem: DeliveryProblem, { code, place = '', isFinal = false }: FailureFacts = {}) {
    const reason = reasons[problem].replace(/\.$/, `${place && ` ${place}`}${codeText(code)}.`);
    super(reason);
    this.problem = problem;
    this.problemCode = codeIn(code);
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

/** A status, or the code of an error. Anything that does not look like one is left out, since it could contain personal data. */
function codeIn(code: unknown): string | null {
  if (typeof code === 'number') return String(code);
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? code : null;
}

/** The same in parentheses, for use in a reason. */
export function codeText(code: unknown): string {
  const shown = codeIn(code);
  return shown === null ? '' : ` (${shown})`;
}
