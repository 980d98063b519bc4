import type { Schemas } from '#client';
import type { DeliveryState } from '../../contract/enums.js';
import {
  type JsonOption,
  type ListOptions,
  pageLimit,
  printJson,
  printList,
  printMessage,
} from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { formatTime } from '../terminal/format-time.js';
import { counted } from '../terminal/numbers.js';
import { createUserNames, type SerialOption, serialOf, withNames } from '../user-names.js';

interface ListDeliveriesOptions extends ListOptions, SerialOption {
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
        delivery.kind
          .replace(/-password$/, '')
          .replace('account-changed', 'notice')
          .replace('confirm-contact', 'code')
          .replace('password-link', 'link'),
        delivery.state,
        delivery.channel ?? '',
        String(delivery.attempts),
        delivery.heldReason === 'addressChanged' ? 'held: address changed' : (delivery.lastError ?? ''),
      ],
      empty: 'No matches. Creating a user or resetting a password creates a delivery.',
    },
  );
}

interface ReleaseOptions extends JsonOption {
  readonly all?: boolean | undefined;
  readonly requestId?: string | undefined;
}

/** `rollcall deliveries release` */
export async function releaseDeliveries(ids: readonly string[], options: ReleaseOptions): Promise<void> {
  const { all, requestId, json } = options;
  const selections = [
    ...(all ? [{ all }] : []),
    ...(requestId === undefined ? [] : [{ requestId }]),
    ...(ids.length === 0 ? [] : [{ ids }]),
  ];
  const [body] = selections;
  if (!body || selections.length > 1) {
    throw new CommandProblem(
      'wrongUse',
      'Specify which held deliveries to release: IDs, --request-id or --all.',
    );
  }
  const { released } = (await connectInteractive().call('releaseDeliveries', { body })).body.data;
  if (json) printJson({ released });
  else
    printMessage(
      released === 0
        ? 'None of these deliveries is held.'
        : `${counted(released, 'delivery', 'deliveries')} released.`,
    );
}

/** `rollcall deliveries resend ID` */
export async function resendDelivery(id: string, { json }: JsonOption): Promise<void> {
  const { body } = await connectInteractive().call('resendDelivery', { path: { id } });
  if (json) printJson(body.data);
  else printMessage(`Resending (${body.data.state}).`);
}
