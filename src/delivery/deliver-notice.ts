import type { Logger } from 'pino';
import { noticeSubjects } from '../contract/enums.js';
import { signInNameOf } from '../domain/access/sign-in-name.js';
import type { Context } from '../domain/context.js';
import type { ClaimedDelivery } from '../storage/delivery/delivery-claims.js';
import { getUser } from '../storage/users/read-users.js';
import { getLanguage } from '../storage/users/user-languages.js';
import { attemptDelivery } from './attempt.js';
import type { Channels } from './channels.js';
import { DeliveryFailed } from './message.js';

/** Goes to the address before the change, whatever the user's current address and status are. */
export async function deliverNotice(
  context: Context,
  channels: Channels,
  delivery: ClaimedDelivery,
  logger: Logger,
): Promise<void> {
  await attemptDelivery(context, delivery, logger, async () => {
    const user = (await getUser(context.database.pool, delivery.userSerial))?.user;
    if (!user) throw new DeliveryFailed('The user no longer exists.');
    const signInName = await signInNameOf(context.database.pool, user);
    const language = (await getLanguage(context.database.pool, user.serial)) ?? context.language;
    const changed = new Set(delivery.changed?.split(' '));
    return channels.deliver({
      deliveryId: delivery.id,
      attempt: delivery.claim,
      language,
      kind: 'account-changed',
      to: { email: delivery.toEmail, phone: delivery.toPhone },
      user: { ...user, signInName },
      changed: noticeSubjects.filter((subject) => changed.has(subject)),
      changedAt: delivery.createdAt,
    });
  });
}
