import { createHmac, randomBytes } from 'node:crypto';

const secretPrefix = 'whsec_';
/** As long as the digest; the specification requires 24 to 64. */
const secretBytes = 32;

/** A secret in Standard Webhooks format, to be shared with one receiver. */
export function newWebhookSecret(): string {
  return `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`;
}

export interface SignedMessage {
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
