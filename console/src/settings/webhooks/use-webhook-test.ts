import { useMutation } from '@tanstack/react-query';
import { rollcall } from '../../session/api.js';
import type { Webhook } from './webhook.js';

/** Sends a test event and waits for the response of the receiver. */
export function useWebhookTest({ id }: Pick<Webhook, 'id'>) {
  return useMutation({
    mutationFn: async () => (await rollcall.call('testWebhook', { path: { id } })).body.data,
  });
}

export type WebhookTest = ReturnType<typeof useWebhookTest>;
