import type { DeliveryKind, NoticeSubject } from '../contract/enums.js';

/** What a person is told, and the means to tell it. The words are those of the templates. */
export type Message = PasswordMessage | NoticeMessage;

export type NoticeKind = 'account-changed';
export type PasswordKind = Exclude<DeliveryKind, NoticeKind>;

interface AnyMessage {
  readonly deliveryId: string;
  /** Counts from one try to the next, so that each try has a name of its own wherever it arrives. */
  readonly attempt: number;
  readonly to: { readonly email: string | null; readonly phone: string | null };
  readonly user: { readonly name: string; readonly username: string | null; readonly employeeID: string };
}

export interface PasswordMessage extends AnyMessage {
  readonly kind: PasswordKind;
  readonly password: string;
  readonly expiresAt: Date;
}

/** That the account was changed, and in what; never what it was changed to. */
export interface NoticeMessage extends AnyMessage {
  readonly kind: NoticeKind;
  readonly changed: readonly NoticeSubject[];
  readonly changedAt: Date;
}

/**
 * The message did not go out, or nobody can tell whether it did. `reason` is a short sentence for an administrator,
 * without a secret and without personal data: it never repeats what the other side said.
 */
export class DeliveryFailed extends Error {
  override readonly name = 'DeliveryFailed';
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * The code of an error as a reason may show it. Codes are made by programs; whatever is not written like one could
 * be anything, and stays out.
 */
export function shownCode(code: unknown): string {
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? ` (${code})` : '';
}
