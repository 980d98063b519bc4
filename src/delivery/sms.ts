import { DeliveryFailed } from './message.js';

export interface Sms {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly to: string;
  readonly text: string;
}

/** Identifies an attempt, so that a gateway can deduplicate requests. */
function idOf({ deliveryId, attempt }: Sms): string {
  return `${deliveryId}-${attempt}`;
}

/** A stored phone number is free text: it may have an extension, or be a note. Gateways ignore the usual separators. */
const phoneNumber = /^\+?(?:[\s().\-/]*[0-9]){3,20}[\s().\-/]*$/;

function canReceiveSms(phone: string): boolean {
  return phoneNumber.test(phone);
}

/** The JSON body for the gateway. */
export function composeSms(sms: Sms): string {
  if (!canReceiveSms(sms.to)) {
    throw new DeliveryFailed('phoneInvalid', { isFinal: true });
  }
  return JSON.stringify({ id: idOf(sms), to: sms.to, text: sms.text });
}

export interface SmsGatewayOptions {
  readonly url: string;
  readonly token?: string | undefined;
  readonly timeoutMs?: number;
}

export interface SmsGateway {
  /** Resolves once the gateway has accepted the message; every failure is a DeliveryFailed. */
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
        // A redirect would send the password to an address that was not configured.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      // The body is not needed. Failing to discard it does not change the result.
      await response.body?.cancel().catch(() => {});
      if (response.ok) return;
      if (response.status >= 300 && response.status < 400) {
        throw new DeliveryFailed('smsRedirected', { code: response.status });
      }
      throw new DeliveryFailed('smsRefused', { code: response.status });
    },
  };
}

/** Moves credentials from the URL to a header, because fetch rejects such URLs. A token takes precedence. */
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
    throw smsFailure(error);
  }
}

function smsFailure(error: unknown): DeliveryFailed {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return new DeliveryFailed('smsTimedOut');
  const code = cause?.code;
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') {
    return new DeliveryFailed('smsClosed');
  }
  return new DeliveryFailed('smsUnreachable', { code });
}
