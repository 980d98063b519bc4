import type { Schemas } from '@rollcall/client';
import { queryClient, rollcall } from '../../session/api.js';
import type { Webhook } from './webhook.js';

type ById = Pick<Webhook, 'id'>;

const reload = () => queryClient.invalidateQueries({ queryKey: ['activity', 'webhooks'] });

/** Returns the secret, which the service shows only once. */
export async function createWebhook(body: Schemas['CreateWebhook']): Promise<string> {
  const reply = await rollcall.call('createWebhook', { body });
  void reload();
  return reply.body.data.secret;
}

export async function changeWebhook({ id }: ById, body: Schemas['PatchWebhook']): Promise<void> {
  await rollcall.call('updateWebhook', { path: { id }, body });
  await reload();
}

export async function deleteWebhook({ id }: ById): Promise<void> {
  await rollcall.call('deleteWebhook', { path: { id } });
  await reload();
}

export async function rotateSecret({ id }: ById, overlapSeconds: number): Promise<string> {
  const reply = await rollcall.call('rotateWebhookSecret', { path: { id }, body: { overlapSeconds } });
  void reload();
  return reply.body.data.secret;
}

export async function replay({ id }: ById, fromSequence: number): Promise<void> {
  await rollcall.call('replayWebhook', { path: { id }, body: { fromSequence } });
  await reload();
}
