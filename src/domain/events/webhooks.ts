import { v7 } from 'uuid';
import { type Failure, failure } from '../../contract/errors.js';
import { prunedTo } from '../../storage/changes/change-horizon.js';
import { type Executor, transaction } from '../../storage/database.js';
import {
  endSecrets,
  insertWebhook,
  insertWebhookSecret,
  lockWebhook,
  moveWebhook,
  getWebhook as readWebhook,
  listWebhooks as readWebhooks,
  deleteWebhook as removeWebhook,
  updateWebhook as storeWebhook,
  type Webhook,
  type WebhookSettings,
} from '../../storage/delivery/webhooks.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import type { Vault } from '../secrets/vault.js';
import { isSerial } from '../serial.js';
import { newWebhookSecret } from './webhook-signature.js';
import { resolveTarget, webhookUrlProblem } from './webhook-url.js';

export type { Webhook, WebhookSettings };

type Found<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly failure: Failure };

export interface WebhookWithSecret {
  readonly webhook: Webhook;
  /** Returned only once. */
  readonly secret: string;
}

/** The webhook receives everything committed from now on. */
export async function createWebhook(
  context: Context,
  settings: WebhookSettings,
  caller: Caller,
): Promise<Found<WebhookWithSecret>> {
  const refusal = await urlRefusal(context, settings.url);
  if (refusal) return { ok: false, failure: refusal };
  const id = v7();
  const position = await context.changes.present();
  return transaction(context.database, async (tx) => {
    await insertWebhook(tx, { id, position, ...settings });
    const secret = await addSecret(tx, context.vault, id);
    await recordAccess(tx, 'webhook.created', caller, { detail: { webhookId: id, ...shown(settings) } });
    return { ok: true, webhook: (await readWebhook(tx, id)) as Webhook, secret };
  });
}

export function listWebhooks({ database }: Context, page: PageRequest): Promise<Page<Webhook>> {
  const list = { name: 'webhooks', filters: {}, isKey: isSerial, keyOf: byId };
  return pageByKey(page, list, (afterId, limit) => readWebhooks(database.pool, { afterId, limit }));
}

export async function getWebhook({ database }: Context, id: string): Promise<Found<{ webhook: Webhook }>> {
  const webhook = isSerial(id) ? await readWebhook(database.pool, id) : undefined;
  return webhook ? { ok: true, webhook } : notFound();
}

export type WebhookChange = { readonly [Name in keyof WebhookSettings]?: WebhookSettings[Name] } & {
  readonly isActive?: boolean;
};

/** A disabled webhook that is enabled again continues where it stopped. */
export async function updateWebhook(
  context: Context,
  id: string,
  change: WebhookChange,
  caller: Caller,
): Promise<Found<{ webhook: Webhook }>> {
  const refusal = change.url === undefined ? undefined : await urlRefusal(context, change.url);
  if (refusal) return { ok: false, failure: refusal };
  return withWebhook(context, id, async (tx, before) => {
    const differs = (name: keyof WebhookChange) =>
      change[name] !== undefined && JSON.stringify(change[name]) !== JSON.stringify(before[name]);
    const changed = (['url', 'description', 'eventTypes', 'batchMax', 'isActive'] as const).filter(differs);
    if (changed.length === 0) return { webhook: before };
    await storeWebhook(
      tx,
      { ...before, ...change },
      { afresh: changed.some((name) => name !== 'description') },
    );
    await recordAccess(tx, 'webhook.changed', caller, { detail: { webhookId: id, ...shown(change) } });
    return { webhook: (await readWebhook(tx, id)) as Webhook };
  });
}

export async function deleteWebhook(context: Context, id: string, caller: Caller): Promise<Found<object>> {
  return withWebhook(context, id, async (tx) => {
    await removeWebhook(tx, id);
    await recordAccess(tx, 'webhook.deleted', caller, { detail: { webhookId: id } });
    return {};
  });
}

/** For a while, messages are signed with both secrets, so that the receiver can switch at any time. */
export async function rotateWebhookSecret(
  context: Context,
  id: string,
  overlapSeconds: number,
  caller: Caller,
): Promise<Found<WebhookWithSecret>> {
  return withWebhook(context, id, async (tx) => {
    await endSecrets(tx, id, overlapSeconds);
    const secret = await addSecret(tx, context.vault, id);
    await recordAccess(tx, 'webhook.secret-rotated', caller, { detail: { webhookId: id, overlapSeconds } });
    return { webhook: (await readWebhook(tx, id)) as Webhook, secret };
  });
}

/** Sends everything from a number on again. */
export async function replayWebhook(
  context: Context,
  id: string,
  fromSequence: number,
  caller: Caller,
): Promise<Found<{ webhook: Webhook }>> {
  const found = await getWebhook(context, id);
  if (!found.ok) return found;
  const settled = await context.changes.present();
  const kept = await prunedTo(context.database.pool);
  if (fromSequence <= kept || fromSequence > settled + 1) {
    return {
      ok: false,
      failure: failure(
        'EVENTS_PRUNED',
        `Events from ${kept + 1} to ${settled} are kept; ${fromSequence} is not among them.`,
      ),
    };
  }
  return withWebhook(context, id, async (tx) => {
    await moveWebhook(tx, id, fromSequence - 1);
    await recordAccess(tx, 'webhook.replayed', caller, { detail: { webhookId: id, fromSequence } });
    return { webhook: (await readWebhook(tx, id)) as Webhook };
  });
}

async function withWebhook<T extends object>(
  { database }: Context,
  id: string,
  work: (tx: Executor, webhook: Webhook) => Promise<T>,
): Promise<Found<T>> {
  if (!isSerial(id)) return notFound();
  return transaction(database, async (tx): Promise<Found<T>> => {
    const webhook = await lockWebhook(tx, id);
    return webhook ? { ok: true, ...(await work(tx, webhook)) } : notFound();
  });
}

async function addSecret(tx: Executor, vault: Vault, webhookId: string): Promise<string> {
  const id = v7();
  const secret = newWebhookSecret();
  await insertWebhookSecret(tx, { id, webhookId, secret: vault.seal(secret, id) });
  return secret;
}

async function urlRefusal(
  { webhookTargets, webhookHosts }: Context,
  url: string,
): Promise<Failure | undefined> {
  const problem = webhookUrlProblem(url, webhookTargets, webhookHosts);
  if (problem !== undefined) return urlRefused(problem);
  const target = await resolveTarget(new URL(url).hostname, webhookTargets);
  return target.ok ? undefined : urlRefused(`has a host that ${target.problem}`);
}

function urlRefused(problem: string): Failure {
  return failure('WEBHOOK_URL_REFUSED', `The URL ${problem}.`);
}

/** What the access log records of the settings. The path of a URL may contain a secret of the receiver. */
function shown({ url, ...settings }: WebhookChange): Record<string, unknown> {
  return { ...settings, ...(url === undefined ? {} : { host: new URL(url).host }) };
}

function notFound(): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: failure('WEBHOOK_NOT_FOUND', 'No webhook has this ID.') };
}
