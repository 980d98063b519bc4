import type { RotateOptions } from '../clients/rotate-client-secret.js';
import { connectInteractive } from '../session/connect.js';
import { printWithSecret } from './format-webhook.js';

/** `rollcall webhooks rotate ID` */
export async function rotateWebhookSecret(
  id: string,
  { overlapSeconds, json }: RotateOptions,
): Promise<void> {
  const { body } = await connectInteractive().call('rotateWebhookSecret', {
    path: { id },
    body: overlapSeconds === undefined ? {} : { overlapSeconds },
  });
  printWithSecret(body.data, { json });
}
