import type { Schemas } from '#client';
import type { DeliveryState } from '../../contract/enums.js';
import { type SerialOption, serialOf } from '../find-user.js';
import { type ListOptions, pageLimit, printList } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { formatTime } from '../terminal/format-time.js';
import { createUserNames, withNames } from '../user-names.js';

export interface ListDeliveriesOptions extends ListOptions, SerialOption {
  readonly state?: DeliveryState | undefined;
  readonly user?: string | undefined;
  readonly requestId?: string | undefined;
}

/** `rollcall deliveries list` */
export async function listDeliveries(options: ListDeliveriesOptions): Promise<void> {
  const { state, user, requestId } = options;
  const rollcall = connectInteractive();
  const userSerial = user === undefined ? undefined : await serialOf(rollcall, user, options);
  const query = { state, userSerial, requestId, limit: pageLimit(options) };
  const deliveries = rollcall.each('listDeliveries', { query });
  const names = createUserNames(rollcall);
  await printList<Schemas['Delivery']>(
    options.json ? deliveries : withNames(deliveries, names, (delivery) => [delivery.userSerial]),
    options,
    {
      headings: ['ID', 'CREATED', 'USER', 'KIND', 'STATE', 'BY', 'TRIES', 'REASON'],
      row: (delivery) => [
        delivery.id,
        formatTime(delivery.createdAt),
        names.of(delivery.userSerial),
        delivery.kind.replace(/-password$/, '').replace('account-changed', 'notice'),
        delivery.state,
        delivery.channel ?? '',
        String(delivery.attempts),
        delivery.heldReason === 'addressChanged' ? 'held: address changed' : (delivery.lastError ?? ''),
      ],
      empty: 'No matches. Creating a user or resetting a password creates a delivery.',
    },
  );
}
