import { type Failure, failure } from '../../contract/errors.js';
import { getLogin } from '../../storage/access/credentials.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import {
  type Delivery,
  type DeliveryFilters,
  hasLaterDelivery,
  lockDelivery,
  listDeliveries as readDeliveries,
  releaseDeliveries as release,
  requeueDelivery,
} from '../../storage/delivery/deliveries.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import type { SecretContext } from '../secrets/secret-cipher.js';
import { isSerial } from '../serial.js';

export async function listDeliveries(
  database: Database,
  filters: DeliveryFilters,
  page: PageRequest,
): Promise<Page<Delivery>> {
  // Serials are opaque to callers: text in another format simply matches no user.
  if (filters.userSerial !== undefined && !isSerial(filters.userSerial)) {
    return { ok: true, items: [], nextCursor: null };
  }
  const list = { name: 'deliveries', filters, isKey: isSerial, keyOf: byId };
  return pageByKey(page, list, (beforeId, limit) =>
    readDeliveries(database.pool, { filters, beforeId, limit }),
  );
}

interface HeldDeliveries {
  readonly requestId?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** Releases held deliveries: all, or selected ones. Returns their number. */
export async function releaseDeliveries(
  database: Database,
  { requestId, ids }: HeldDeliveries,
  caller: Caller,
): Promise<number> {
  return transaction(database, async (tx) => {
    const released = await release(tx, { requestId, ids: ids?.filter(isSerial) });
    if (released > 0) await recordAccess(tx, 'deliveries.released', caller, { detail: { released } });
    return released;
  });
}

type Resent =
  | { readonly ok: true; readonly delivery: Delivery }
  | { readonly ok: false; readonly failure: Failure };

/** Sends the message again immediately. It contains a new password unless a given one is still stored in it. */
export async function resendDelivery(
  { database, cipher }: SecretContext,
  id: string,
  caller: Caller,
): Promise<Resent> {
  if (!isSerial(id)) return notFound();
  return transaction(database, async (tx): Promise<Resent> => {
    const delivery = await lockDelivery(tx, id);
    if (!delivery) return notFound();
    if (delivery.state === 'cancelled') return superseded();
    const bringsPassword = delivery.kind === 'initial-password' || delivery.kind === 'reset-password';
    if (bringsPassword && (await isSuperseded(tx, delivery))) return superseded();
    if (await requeueDelivery(tx, id, cipher.keyIds)) {
      await recordAccess(tx, 'delivery.resent', caller, {
        userSerial: delivery.userSerial,
        detail: { deliveryId: delivery.id },
      });
    }
    return { ok: true, delivery: (await lockDelivery(tx, id)) as Delivery };
  });
}

/** The user has chosen a password, or another delivery follows. */
async function isSuperseded(tx: Executor, delivery: Delivery): Promise<boolean> {
  const login = await getLogin(tx, delivery.userSerial);
  const hasChosen = login?.password?.mustChange === false;
  return !login || hasChosen || (await hasLaterDelivery(tx, delivery));
}

function notFound(): Resent {
  return { ok: false, failure: failure('ACCESS_DELIVERY_NOT_FOUND', 'No delivery has this ID.') };
}

function superseded(): Resent {
  return {
    ok: false,
    failure: failure(
      'ACCESS_DELIVERY_SUPERSEDED',
      'A later delivery replaced this one, or the user has since chosen a password. To send a new password, use POST /service/users/{serial}/reset-password.',
    ),
  };
}
