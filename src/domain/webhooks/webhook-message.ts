import { signatureHeader } from './webhook-signature.js';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type WebhookAnswer =
  | { readonly ok: true; readonly status: number }
  | {
      readonly ok: false;
      /** Null if there was no response. */
      readonly status: number | null;
      /** A sentence for administrators. It repeats neither the URL nor anything from the response. */
      readonly reason: string;
      /** The receiver wants no more events (410). */
      readonly gone: boolean;
      /** When a busy receiver (429, 503) asks to be called again. */
      readonly retryAfterSeconds: number | undefined;
    };

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
