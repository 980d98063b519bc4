import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookProblem } from '../../contract/enums.js';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type WebhookAnswer = {
  /** The beginning of the body; null if there was none. */
  readonly response: string | null;
} & (
  | { readonly ok: true; readonly status: number }
  | {
      readonly ok: false;
      /** Null if there was no response. */
      readonly status: number | null;
      readonly problem: WebhookProblem;
      /** A sentence for administrators. It repeats neither the URL nor anything from the response. */
      readonly reason: string;
      /** The receiver wants no more events (410). */
      readonly gone: boolean;
      /** When a busy receiver (429, 503) asks to be called again. */
      readonly retryAfterSeconds: number | undefined;
    }
);

export interface WebhookSender {
  /** Never rejects: failures are results. */
  post(request: WebhookRequest): Promise<WebhookAnswer>;
}

/** Signed at this moment. */
export function signedRequest(
  url: string,
  { id, body }: { readonly id: string; readonly body: string },
  secrets: readonly string[],
): WebhookRequest {
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  return {
    url,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signatureHeader(secrets, { id, timestampSeconds, body }),
    },
    body,
  };
}

const secretPrefix = 'whsec_';

/** As long as the digest; the specification requires 24 to 64. */
const secretBytes = 32;

/** A secret in Standard Webhooks format, to be shared with one receiver. */
export function newWebhookSecret(): string {
  return `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`;
}

interface SignedMessage {
  readonly id: string;
  readonly timestampSeconds: number;
  /** Byte for byte what is sent. */
  readonly body: string;
}

/**
 * The value of `webhook-signature`: one signature per secret, in order. While a secret is rotated there are two, and a
 * receiver that knows either can verify the message.
 */
export function signatureHeader(secrets: readonly string[], message: SignedMessage): string {
  const content = `${message.id}.${message.timestampSeconds}.${message.body}`;
  return secrets
    .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`)
    .join(' ');
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  // With an empty key, or with the prefix in the key, we would silently sign what no receiver can verify.
  if (!secret.startsWith(secretPrefix) || key.length === 0) throw new Error('not a webhook secret');
  return key;
}
