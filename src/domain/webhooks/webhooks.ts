import { v7 } from 'uuid';
import { type Failure, failure } from '../../contract/errors.js';
import type { AllowedHost } from '../../contract/webhook-hosts.js';
import { firstChangeSince, prunedTo } from '../../storage/changes/change-feed.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { listWebhookSecrets } from '../../storage/delivery/webhook-claims.js';
import {
  endSecrets,
  hurryWebhook,
  insertWebhook,
  insertWebhookSecret,
  lockWebhook,
  moveWebhook,
  getWebhook as readWebhook,
  listWebhooks as readWebhooks,
  recordSentByHand,
  deleteWebhook as removeWebhook,
  updateWebhook as storeWebhook,
  type Webhook,
  type WebhookSettings,
} from '../../storage/delivery/webhooks.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import type { ChangeContext } from '../changes/follower.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import type { Result } from '../result.js';
import type { SecretCipher, SecretContext } from '../secrets/secret-cipher.js';
import { isSerial } from '../serial.js';
import { newWebhookSecret, signedRequest, type WebhookSender } from './webhook-message.js';
import { resolveTarget, type WebhookTargets, webhookUrlProblem } from './webhook-url.js';

export interface UrlRules {
  readonly webhookTargets: WebhookTargets;
  /** If empty, any host is allowed. */
  readonly webhookHosts: readonly AllowedHost[];
}

export interface CreateWebhookContext extends SecretContext, ChangeContext, UrlRules {}

export interface UpdateWebhookContext extends UrlRules {
  readonly database: Database;
}

export interface TestWebhookContext extends SecretContext {
  readonly webhookSender: WebhookSender;
}

export type WebhookChange = { readonly [Name in keyof WebhookSettings]?: WebhookSettings[Name] } & {
  readonly isActive?: boolean;
};

interface WebhookWithSecret {
  readonly webhook: Webhook;
  /** Returned only once. */
  readonly secret: string;
}

/** The webhook receives everything committed from now on. */
export async function createWebhook(
  context: CreateWebhookContext,
  settings: WebhookSettings,
  caller: Caller,
): Promise<Result<WebhookWithSecret>> {
  const problem = await checkUrl(context, settings.url);
  if (problem) return { ok: false, failure: problem };
  const id = v7();
  const position = await context.changes.settleNow();
  return transaction(context.database, async (tx) => {
    await insertWebhook(tx, { id, position, ...settings });
    const secret = await addSecret(tx, context.cipher, id);
    await recordAccess(tx, 'webhook.created', caller, {
      detail: { webhookId: id, ...auditedSettings(settings) },
    });
    return { ok: true, webhook: (await readWebhook(tx, id)) as Webhook, secret };
  });
}

export async function getWebhook(database: Database, id: string): Promise<Result<{ webhook: Webhook }>> {
  const webhook = isSerial(id) ? await readWebhook(database.pool, id) : undefined;
  return webhook ? { ok: true, webhook } : webhookNotFound();
}

export function listWebhooks(database: Database, page: PageRequest): Promise<Page<Webhook>> {
  const list = { name: 'webhooks', filters: {}, isKey: isSerial, keyOf: byId };
  return pageByKey(page, list, (afterId, limit) => readWebhooks(database.pool, { afterId, limit }));
}

/** A disabled webhook that is enabled again continues where it stopped. */
export async function updateWebhook(
  context: UpdateWebhookContext,
  id: string,
  change: WebhookChange,
  caller: Caller,
): Promise<Result<{ webhook: Webhook }>> {
  const problem = change.url === undefined ? undefined : await checkUrl(context, change.url);
  if (problem) return { ok: false, failure: problem };
  return withWebhook(context.database, id, async (tx, before) => {
    const differs = (name: keyof WebhookChange) =>
      change[name] !== undefined && JSON.stringify(change[name]) !== JSON.stringify(before[name]);
    const changed = (['url', 'description', 'eventTypes', 'batchMax', 'isActive'] as const).filter(differs);
    if (changed.length === 0) return { webhook: before };
    await storeWebhook(
      tx,
      { ...before, ...change },
      { restart: changed.some((name) => name !== 'description') },
    );
    await recordAccess(tx, 'webhook.changed', caller, {
      detail: { webhookId: id, ...auditedSettings(change) },
    });
    return { webhook: (await readWebhook(tx, id)) as Webhook };
  });
}

/** For a while, messages are signed with both secrets, so that the receiver can switch at any time. */
export async function rotateWebhookSecret(
  context: SecretContext,
  id: string,
  overlapSeconds: number,
  caller: Caller,
): Promise<Result<WebhookWithSecret>> {
  return withWebhook(context.database, id, async (tx) => {
    await endSecrets(tx, id, overlapSeconds);
    const secret = await addSecret(tx, context.cipher, id);
    await recordAccess(tx, 'webhook.secret-rotated', caller, { detail: { webhookId: id, overlapSeconds } });
    return { webhook: (await readWebhook(tx, id)) as Webhook, secret };
  });
}

interface ReplayFrom {
  readonly fromSequence?: number | undefined;
  readonly since?: string | undefined;
}

/** Sends everything from a number or a time on again. Without either, what waits is tried at once. */
export async function replayWebhook(
  context: ChangeContext,
  id: string,
  from: ReplayFrom,
  caller: Caller,
): Promise<Result<{ webhook: Webhook }>> {
  const found = await getWebhook(context.database, id);
  if (!found.ok) return found;
  const { pool } = context.database;
  if (from.fromSequence === undefined && from.since === undefined) {
    await hurryWebhook(pool, id);
    await recordAccess(pool, 'webhook.replayed', caller, { detail: { webhookId: id } });
    return getWebhook(context.database, id);
  }
  const settled = await context.changes.settleNow();
  const kept = await prunedTo(pool);
  const since =
    from.since === undefined ? 0 : ((await firstChangeSince(pool, from.since, kept)) ?? settled + 1);
  const fromSequence = Math.max(from.fromSequence ?? 0, since);
  if (fromSequence <= kept || fromSequence > settled + 1) {
    return {
      ok: false,
      failure: failure(
        'EVENTS_PRUNED',
        `Event ${fromSequence} is not available. Choose one from ${kept + 1} to ${settled}.`,
        { prunedTo: kept },
      ),
    };
  }
  return withWebhook(context.database, id, async (tx) => {
    await moveWebhook(tx, id, fromSequence - 1);
    const given = from.since === undefined ? {} : { since: from.since };
    await recordAccess(tx, 'webhook.replayed', caller, { detail: { webhookId: id, fromSequence, ...given } });
    return { webhook: (await readWebhook(tx, id)) as Webhook };
  });
}

interface WebhookTest {
  readonly delivered: boolean;
  /** Null if there was no response. */
  readonly statusCode: number | null;
  /** Why it was not delivered. */
  readonly reason: string | null;
  readonly durationMs: number;
}

/**
 * Sends a signed message that is no event, once, even to a webhook that is stopped. If the receiver accepts it, what waits
 * is sent as well.
 */
export async function testWebhook(
  context: TestWebhookContext,
  id: string,
  caller: Caller,
): Promise<Result<{ test: WebhookTest }>> {
  const { database, cipher, webhookSender } = context;
  const found = await getWebhook(context.database, id);
  if (!found.ok) return found;
  await recordAccess(database.pool, 'webhook.tested', caller, { detail: { webhookId: id } });
  const encrypted = await listWebhookSecrets(database.pool, id);
  const secrets = encrypted.map((each) => cipher.decrypt(each.secret, each.id));
  const beganMs = performance.now();
  const answer = await webhookSender.post(signedRequest(found.webhook.url, testMessage(id), secrets));
  const durationMs = Math.round(performance.now() - beganMs);
  if (answer.ok) await recordSentByHand(database.pool, id);
  return {
    ok: true,
    test: {
      delivered: answer.ok,
      statusCode: answer.status,
      reason: answer.ok ? null : answer.reason,
      durationMs,
    },
  };
}

export async function deleteWebhook(database: Database, id: string, caller: Caller): Promise<Result<object>> {
  return withWebhook(database, id, async (tx) => {
    await removeWebhook(tx, id);
    await recordAccess(tx, 'webhook.deleted', caller, { detail: { webhookId: id } });
    return {};
  });
}

async function checkUrl(
  { webhookTargets, webhookHosts }: UrlRules,
  url: string,
): Promise<Failure | undefined> {
  const problem = webhookUrlProblem(url, webhookTargets, webhookHosts);
  if (problem !== undefined) return urlRejected(problem);
  const target = await resolveTarget(new URL(url).hostname, webhookTargets);
  return target.ok ? undefined : urlRejected(`has a host that ${target.problem}`);
}

function urlRejected(problem: string): Failure {
  return failure('WEBHOOK_URL_REFUSED', `The URL ${problem}.`);
}

/** What the access log records of the settings. The path of a URL may contain a secret of the receiver. */
function auditedSettings({ url, ...settings }: WebhookChange): Record<string, unknown> {
  return { ...settings, ...(url === undefined ? {} : { host: new URL(url).host }) };
}

async function withWebhook<T extends object>(
  database: Database,
  id: string,
  work: (tx: Executor, webhook: Webhook) => Promise<T>,
): Promise<Result<T>> {
  if (!isSerial(id)) return webhookNotFound();
  return transaction(database, async (tx): Promise<Result<T>> => {
    const webhook = await lockWebhook(tx, id);
    return webhook ? { ok: true, ...(await work(tx, webhook)) } : webhookNotFound();
  });
}

async function addSecret(tx: Executor, cipher: SecretCipher, webhookId: string): Promise<string> {
  const id = v7();
  const secret = newWebhookSecret();
  await insertWebhookSecret(tx, { id, webhookId, secret: cipher.encrypt(secret, id) });
  return secret;
}

function webhookNotFound(): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: failure('WEBHOOK_NOT_FOUND', 'No webhook has this ID.') };
}

function testMessage(webhookId: string): { id: string; body: string } {
  const message = { type: 'webhook.test', timestamp: new Date().toISOString(), data: { webhookId } };
  return { id: `test_${v7()}`, body: JSON.stringify(message) };
}
