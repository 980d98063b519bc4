import type { DeliveryKind, Language, NoticeSubject } from '../contract/enums.js';
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

/**
 * The message was not sent, or it is unknown whether it was. `reason` is a short sentence for administrators without
 * secrets or personal data: it never repeats what the other side said.
 */
export class DeliveryFailed extends Error {
  override readonly name = 'DeliveryFailed';
  readonly reason: string;
  /** Another attempt would fail in the same way. */
  readonly isFinal: boolean;
  /** How long the other side asks to wait. */
  readonly retryAfterSeconds: number;

  constructor(reason: string, { isFinal = false, retryAfterSeconds = 0 } = {}) {
    super(reason);
    this.reason = reason;
    this.isFinal = isFinal;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * An error code in parentheses, for use in a reason. Anything that does not look like a code is left out, since it could
 * contain personal data.
 */
export function codeText(code: unknown): string {
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? ` (${code})` : '';
}
