import type { NewDelivery, Requester } from '../../storage/delivery/user-deliveries.js';
import type { SecretCipher } from '../secrets/secret-cipher.js';
import { newId } from '../serial.js';

export interface DeliveryOptions {
  readonly requestId: string;
  readonly requestedBy: Requester | null;
  /** Part of a bulk call: sent after those of single users. */
  readonly inBulk: boolean;
  /** Held until it is released. */
  readonly hold: boolean;
}

/** The message with a new user's initial password. A given password is stored in it encrypted. */
export function initialDelivery(
  cipher: SecretCipher,
  user: { readonly serial: string; readonly isActive: boolean; readonly password: string | null },
  { requestId, requestedBy, inBulk, hold }: DeliveryOptions,
): NewDelivery {
  const id = newId();
  return {
    id,
    userSerial: user.serial,
    kind: 'initial-password',
    state: hold ? 'held' : user.isActive ? 'waiting' : 'dormant',
    priority: inBulk ? 1 : 0,
    requestId,
    requestedBy,
    secret: user.password === null ? null : cipher.encrypt(user.password, id),
  };
}
