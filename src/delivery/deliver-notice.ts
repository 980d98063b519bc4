import type { Logger } from 'pino';
import { noticeSubjects } from '../contract/enums.js';
import type { Context } from '../domain/context.js';
import type { ClaimedDelivery } from '../storage/delivery/delivery-claims.js';
import { getUser } from '../storage/users/read-users.js';
import { attemptDelivery } from './attempt.js';
import type { Channels } from './channels.js';
import { DeliveryFailed } from './message.js';

/** Goes to the address that the change left behind, whatever the user's address and status are by now. */
export async function deliverNotice(
  context: Context,
  channels: Channels,
  delivery: ClaimedDelivery,
  logger: Logger,
): Promise<void> {
  await attemptDelivery(context, delivery, logger, async () => {
    const user = (await getUser(context.database.pool, delivery.userSerial))?.user;
    if (!user) throw new DeliveryFailed('The user is not there any more.');
    const changed = new Set(delivery.changed?.split(' '));
    return channels.deliver({
      deliveryId: delivery.id,
      attempt: delivery.claim,
      kind: 'account-changed',
      to: { email: delivery.toEmail, phone: delivery.toPhone },
      user,
      changed: noticeSubjects.filter((subject) => changed.has(subject)),
      changedAt: delivery.createdAt,
    });
  });
}
