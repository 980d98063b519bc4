import { afterAll, beforeAll, expect } from 'vitest';
import type { Environment } from '../../src/config.js';
import type { DeliveryState } from '../../src/contract/enums.js';
import type { Executor } from '../../src/storage/database.js';
import { type MailServer, openMailServer } from './mail-server.js';
import { newId, type Reply, sharedService, TestService } from './service.js';
import { openSmsGateway, type SmsGatewayServer } from './sms-gateway.js';

/** Sends messages as soon as they are due, and allows unlimited failed sign-ins. */
export const sendsAtOnce = {
  ROLLCALL_DELIVERIES_AT_ONCE: '4',
  ROLLCALL_DELIVERY_POLL_MS: '100', // more often, services that wait would use a tenth of a core each
  ROLLCALL_DELIVERIES_PER_MINUTE_MAX: '600000',
  ROLLCALL_SIGN_IN_FREE_FAILURES_PER_ADDRESS: '100000',
} as const;

/** A service for one file, with a mail server that starts before it, and an SMS gateway if it needs one. */
export function useServiceWithMail(
  environment: Environment = {},
  { hasGateway = false } = {},
): {
  service: TestService;
  mail: MailServer;
  gateway: SmsGatewayServer;
} {
  let mail: MailServer | undefined;
  let gateway: SmsGatewayServer | undefined;
  let service: TestService | undefined;
  beforeAll(async () => {
    mail = await openMailServer();
    gateway = hasGateway ? await openSmsGateway() : undefined;
    service = await TestService.start({
      ...sendsAtOnce,
      SMTP_URL: mail.url,
      ...(gateway ? { SMS_GATEWAY_URL: gateway.url, SMS_GATEWAY_TOKEN: 'token-of-the-gateway' } : {}),
      ...environment,
    });
  });
  afterAll(async () => {
    // First, so that the service doesn't wait for a hanging server.
    await mail?.stop();
    await gateway?.stop();
    await service?.stop();
  });
  return { service: standIn(() => service), mail: standIn(() => mail), gateway: standIn(() => gateway) };
}

let shared: Promise<{ service: TestService; mail: MailServer }> | undefined;

/** The same for all files of a worker, for tests that use addresses of their own and leave the mail server as it is. */
export function useSharedServiceWithMail(): { service: TestService; mail: MailServer } {
  let running: { service: TestService; mail: MailServer } | undefined;
  beforeAll(async () => {
    shared ??= openMailServer().then(async (mail) => ({
      mail,
      service: await sharedService({ ...sendsAtOnce, SMTP_URL: mail.url }),
    }));
    running = await shared;
  });
  return { service: standIn(() => running?.service), mail: standIn(() => running?.mail) };
}

/** Lets a file refer to the service and mail server before they run. */
function standIn<T extends object>(actual: () => T | undefined): T {
  const running = () => {
    const found = actual();
    if (!found) throw new Error('not running yet');
    return found;
  };
  return new Proxy({} as T, {
    get: (_, property) => {
      const value = Reflect.get(running(), property, running());
      return typeof value === 'function' ? value.bind(running()) : value;
    },
    set: (_, property, value) => Reflect.set(running(), property, value, running()),
  });
}

/** As returned by GET /service/deliveries. */
export interface ShownDelivery {
  readonly id: string;
  readonly userSerial: string;
  readonly kind: string;
  readonly state: DeliveryState;
  readonly heldReason: string | null;
  readonly channel: string | null;
  readonly attempts: number;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  readonly sentAt: string | null;
  readonly address: string | null;
  readonly lastProblem: string | null;
  readonly lastProblemCode: string | null;
  readonly lastError: string | null;
  readonly requestId: string | null;
}

/** Deliveries of passwords, newest first. */
export async function deliveriesOf(service: TestService, userSerial: string): Promise<ShownDelivery[]> {
  return (await allDeliveriesOf(service, userSerial)).filter(({ kind }) => kind.endsWith('-password'));
}

/** Notices about account changes, newest first. */
export async function noticesOf(service: TestService, userSerial: string): Promise<ShownDelivery[]> {
  return (await allDeliveriesOf(service, userSerial)).filter(({ kind }) => kind === 'account-changed');
}

export async function allDeliveriesOf(service: TestService, userSerial: string): Promise<ShownDelivery[]> {
  const reply = await service.get(`/service/deliveries?userSerial=${userSerial}`);
  if (reply.status !== 200) throw new Error(`could not read the deliveries: ${reply.text}`);
  return reply.json.data.items;
}

/** The newest password delivery to a user. */
export async function deliveryOf(service: TestService, userSerial: string): Promise<ShownDelivery> {
  const [delivery] = await deliveriesOf(service, userSerial);
  if (!delivery) throw new Error('the user has no delivery');
  return delivery;
}

export async function untilSent(service: TestService, userSerial: string): Promise<ShownDelivery> {
  await expect.poll(async () => (await deliveryOf(service, userSerial)).state).toBe('sent');
  return deliveryOf(service, userSerial);
}

/** Waits until the delivery has failed this often and is not claimed, then ends the pause before the next attempt. */
export async function endPauseAfter(service: TestService, id: string, attempts: number): Promise<void> {
  const end = async () => {
    const { rowCount } = await service.database.pool.query(
      `UPDATE deliveries SET next_at = now()
       WHERE id = $1 AND attempts = $2 AND state = 'waiting' AND claimed_until IS NULL`,
      [id, attempts],
    );
    return rowCount;
  };
  await expect.poll(end).toBe(1);
}

export function resend(service: TestService, id: string): Promise<Reply> {
  return service.request('POST', `/service/deliveries/${id}/resend`);
}

export function release(service: TestService, body: unknown): Promise<Reply> {
  return service.post('/service/deliveries/release', body);
}

export function patchUser(service: TestService, serial: string, body: unknown): Promise<Reply> {
  return service.request('PATCH', `/service/users/${serial}`, { body });
}

/** An email address that no other test uses. */
export function newAddress(): string {
  return `${newId('person')}@example.com`;
}

let phones = 0;

/** A phone number that no other test in the file uses. */
export function newPhone(): string {
  return `+44 20 7946 ${String(++phones).padStart(4, '0')}`;
}

interface Addressed {
  readonly subject?: string | undefined;
  readonly envelope: { readonly to: readonly string[] };
}

const noticeSubject = 'Your Rollcall account was changed';

/** Messages with a password. */
export function mailsTo<Mail extends Addressed>(
  mail: { readonly messages: readonly Mail[] },
  address: string,
) {
  return mail.messages.filter(
    ({ envelope, subject }) => envelope.to.includes(address) && subject !== noticeSubject,
  );
}

/** Notices about account changes. */
export function noticesTo<Mail extends Addressed>(
  mail: { readonly messages: readonly Mail[] },
  address: string,
) {
  return mail.messages.filter(
    ({ envelope, subject }) => envelope.to.includes(address) && subject === noticeSubject,
  );
}

/** Waits until this many messages to the address have arrived. Returns the last one. */
export async function mailTo<Mail extends Addressed>(
  mail: { readonly messages: readonly Mail[] },
  address: string,
  count = 1,
): Promise<Mail> {
  await expect.poll(() => mailsTo(mail, address).length).toBe(count);
  return mailsTo(mail, address).at(-1) as Mail;
}

/** The password in a message from the bundled templates. */
export function passwordIn(message: { readonly text?: string | undefined }): string {
  const [, password] = /^Your (?:initial|new) password:\n\n(.+)$/m.exec(message.text ?? '') ?? [];
  if (password === undefined) throw new Error(`no password in: ${message.text}`);
  return password;
}

/** The password in an SMS from the bundled templates. */
export function passwordInSms(text: string): string {
  const [, password] = /password:\n(.+)\n/.exec(text) ?? [];
  if (password === undefined) throw new Error(`no password in: ${text}`);
  return password;
}

/** Every row of every table as text, with bytes in hex. */
export async function everythingStored(executor: Executor): Promise<string> {
  const { rows: tables } = await executor.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await executor.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}
