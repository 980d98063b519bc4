import type { DeliveryKind, DeliveryState } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import type { EncryptedSecret } from '../encrypted-secret.js';
import { plainArray, textArray } from '../sql-arrays.js';

/** The kind and ID of an actor, as in the change log. */
export interface Requester {
  readonly kind: string;
  readonly id: string;
}

export interface NewDelivery {
  readonly id: string;
  readonly userSerial: string;
  readonly kind: DeliveryKind;
  readonly state: DeliveryState;
  /** 0 is sent before 1. */
  readonly priority: 0 | 1;
  readonly requestId: string;
  /** Null for the service itself. */
  readonly requestedBy: Requester | null;
  /** A given password. Without one, a password is generated when the message is sent. */
  readonly secret: EncryptedSecret | null;
}

export const newDeliveryColumns =
  'id, user_serial, kind, state, priority, request_id, secret, secret_key_id, actor_kind, actor_id';

export async function insertDeliveries(tx: Executor, deliveries: readonly NewDelivery[]): Promise<void> {
  await tx.query({
    name: 'insert-deliveries',
    text: `INSERT INTO deliveries (${newDeliveryColumns}, held_reason)
           SELECT id, user_serial, kind, state, priority, request_id, decode(secret, 'hex'), secret_key_id, actor_kind,
                  actor_id, CASE WHEN state = 'held' THEN 'requested' END
           FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::smallint[], $6::text[], $7::text[], $8::text[],
                       $9::text[], $10::text[])
             AS new (${newDeliveryColumns})`,
    values: [
      plainArray(deliveries.map(({ id }) => id)),
      plainArray(deliveries.map(({ userSerial }) => userSerial)),
      textArray(deliveries.map(({ kind }) => kind)),
      textArray(deliveries.map(({ state }) => state)),
      plainArray(deliveries.map(({ priority }) => priority)),
      textArray(deliveries.map(({ requestId }) => requestId)),
      textArray(deliveries.map(({ secret }) => secret?.bytes.toString('hex') ?? null)),
      textArray(deliveries.map(({ secret }) => secret?.keyId ?? null)),
      textArray(deliveries.map(({ requestedBy }) => requestedBy?.kind ?? null)),
      textArray(deliveries.map(({ requestedBy }) => requestedBy?.id ?? null)),
    ],
  });
}
