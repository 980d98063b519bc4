import { phoneField } from '../contract/fields.js';
import { DeliveryFailed, shownCode } from './message.js';

export interface Sms {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly to: string;
  readonly text: string;
}

/** What tells one try from another, so that a gateway that is asked twice sends once. */
function idOf({ deliveryId, attempt }: Sms): string {
  return `${deliveryId}-${attempt}`;
}

/** The JSON that a gateway gets. */
export function composeSms(sms: Sms): string {
  if (!phoneField.accepts(sms.to)) {
    throw new DeliveryFailed('The phone number is not one that a gateway takes.');
  }
  return JSON.stringify({ id: idOf(sms), to: sms.to, text: sms.text });
}

export interface SmsGatewayOptions {
  readonly url: string;
  readonly token?: string | undefined;
  readonly timeoutMs?: number;
}

export interface SmsGateway {
  /** Resolves when the gateway has taken the message over; every failure is a DeliveryFailed. */
  send(sms: Sms): Promise<void>;
}

export const smsTimeoutMs = 15_000;

export function createSmsGateway({ url, token, timeoutMs = smsTimeoutMs }: SmsGatewayOptions): SmsGateway {
  const { address, authorization } = readUrl(url, token);
  return {
    async send(sms) {
      const body = composeSms(sms);
      const response = await post(address, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': idOf(sms),
          ...(authorization === undefined ? {} : { Authorization: authorization }),
        },
        body,
        // A redirect would carry the password to a place that nobody configured.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      // What it says is of no use here. A failure to discard it changes nothing about the answer.
      await response.body?.cancel().catch(() => {});
      if (response.ok) return;
      if (response.status >= 300 && response.status < 400) {
        throw new DeliveryFailed(
          `The SMS gateway answered with a redirect, which is not followed (${response.status}).`,
        );
      }
      throw new DeliveryFailed(`The SMS gateway refused the message (${response.status}).`);
    },
  };
}

/** Credentials in the URL become a header, because fetch refuses such a URL. A token goes before them. */
function readUrl(
  url: string,
  token: string | undefined,
): { address: URL; authorization: string | undefined } {
  const address = new URL(url);
  const credentials = `${decoded(address.username)}:${decoded(address.password)}`;
  address.username = '';
  address.password = '';
  if (token) return { address, authorization: `Bearer ${token}` };
  return {
    address,
    authorization: credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function post(address: URL, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch (error) {
    throw new DeliveryFailed(reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return 'The SMS gateway did not answer in time.';
  const code = cause?.code;
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') {
    return 'The SMS gateway closed the connection before it answered.';
  }
  return `The SMS gateway cannot be reached${shownCode(code)}.`;
}
