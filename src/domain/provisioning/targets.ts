import { v7 } from 'uuid';
import { type Failure, failure } from '../../contract/errors.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import {
  type Difference,
  listDifferences,
  queueDifferences,
  startComparison,
} from '../../storage/provisioning/comparisons.js';
import {
  insertTarget,
  listPushFailures,
  lockTarget,
  type PushFailure,
  getTarget as readTarget,
  listTargets as readTargets,
  deleteTarget as removeTarget,
  restartSync,
  setTargetSecret,
  updateTarget as storeTarget,
  type Target,
  type TargetSettings,
} from '../../storage/provisioning/targets.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import type { ChangeContext } from '../changes/follower.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import type { Result } from '../result.js';
import type { SecretContext } from '../secrets/secret-cipher.js';
import { isSerial } from '../serial.js';
import { resolveTarget, webhookUrlProblem } from '../webhooks/webhook-url.js';
import type { UrlRules } from '../webhooks/webhooks.js';

export interface ScimTargetContext extends SecretContext, ChangeContext, UrlRules {}

export type ScimTargetChange = { readonly [Name in keyof TargetSettings]?: TargetSettings[Name] } & {
  readonly isPaused?: boolean;
  readonly token?: string;
};

/** What the token of a target is encrypted for. */
export function tokenPurpose(targetId: string): string {
  return `scim target ${targetId}`;
}

/** The target gets everybody, and then everything committed from now on. */
export async function createScimTarget(
  context: ScimTargetContext,
  { token, ...given }: TargetSettings & { readonly token: string },
  caller: Caller,
): Promise<Result<{ target: Target }>> {
  const settings = { ...given, url: withoutSlash(given.url) };
  const problem = await checkUrl(context, settings.url);
  if (problem) return { ok: false, failure: problem };
  const id = v7();
  const position = await context.changes.settleNow();
  return transaction(context.database, async (tx) => {
    const secret = context.cipher.encrypt(token, tokenPurpose(id));
    await insertTarget(tx, { id, position, secret, ...settings });
    await recordAccess(tx, 'scim-target.created', caller, {
      detail: { targetId: id, ...auditedSettings(settings) },
    });
    return { ok: true, target: (await readTarget(tx, id)) as Target };
  });
}

export async function getScimTarget(database: Database, id: string): Promise<Result<{ target: Target }>> {
  const target = isSerial(id) ? await readTarget(database.pool, id) : undefined;
  return target ? { ok: true, target } : targetNotFound();
}

export function listScimTargets(database: Database, page: PageRequest): Promise<Page<Target>> {
  const list = { name: 'scim-targets', filters: {}, isKey: isSerial, keyOf: byId };
  return pageByKey(page, list, (afterId, limit) => readTargets(database.pool, { afterId, limit }));
}

/** What decides about who and what is pushed. Everybody is looked at again if one of them changes. */
const selecting = [
  'url',
  'organizationSerials',
  'tagSerials',
  'sendsGroups',
  'sendsSensitive',
  'onDeactivate',
] as const;
const simple = ['name', 'requestsPerSecond', 'isPaused'] as const;

/** A target that is resumed continues where it stopped. */
export async function updateScimTarget(
  context: ScimTargetContext,
  id: string,
  { token, ...given }: ScimTargetChange,
  caller: Caller,
): Promise<Result<{ target: Target }>> {
  const change = given.url === undefined ? given : { ...given, url: withoutSlash(given.url) };
  const problem = change.url === undefined ? undefined : await checkUrl(context, change.url);
  if (problem) return { ok: false, failure: problem };
  const position = await context.changes.settleNow();
  return withTarget(context.database, id, async (tx, before) => {
    const differs = (name: keyof typeof change) =>
      change[name] !== undefined && JSON.stringify(change[name]) !== JSON.stringify(before[name]);
    const changed = [...selecting, ...simple].filter(differs);
    if (changed.length === 0 && token === undefined) return { target: before };
    await storeTarget(tx, { ...before, ...change });
    if (token !== undefined) await setTargetSecret(tx, id, context.cipher.encrypt(token, tokenPurpose(id)));
    if (selecting.some(differs)) await restartSync(tx, id, position);
    await recordAccess(tx, 'scim-target.changed', caller, {
      detail: {
        targetId: id,
        ...auditedSettings(change),
        ...(token === undefined ? {} : { token: 'replaced' }),
      },
    });
    return { target: (await readTarget(tx, id)) as Target };
  });
}

/** Looks at everybody again. What is there already is sent again. */
export async function syncScimTarget(
  context: ScimTargetContext,
  id: string,
  caller: Caller,
): Promise<Result<{ target: Target }>> {
  const position = await context.changes.settleNow();
  return withTarget(context.database, id, async (tx) => {
    await restartSync(tx, id, position);
    await recordAccess(tx, 'scim-target.synced', caller, { detail: { targetId: id } });
    return { target: (await readTarget(tx, id)) as Target };
  });
}

/** Replaces the last comparison. The target is asked in the background. */
export function compareScimTarget(
  database: Database,
  id: string,
  caller: Caller,
): Promise<Result<{ target: Target }>> {
  return withTarget(database, id, async (tx) => {
    await startComparison(tx, id, v7());
    await recordAccess(tx, 'scim-target.compared', caller, { detail: { targetId: id } });
    return { target: (await readTarget(tx, id)) as Target };
  });
}

/** Queues the users of the last comparison who differ. */
export function repairScimTarget(
  database: Database,
  id: string,
  caller: Caller,
): Promise<Result<{ target: Target }>> {
  return withTarget(database, id, async (tx) => {
    await queueDifferences(tx, id);
    await recordAccess(tx, 'scim-target.repaired', caller, { detail: { targetId: id } });
    return { target: (await readTarget(tx, id)) as Target };
  });
}

export async function listScimDifferences(
  database: Database,
  id: string,
  page: PageRequest,
): Promise<Page<Difference>> {
  const found = await getScimTarget(database, id);
  if (!found.ok) return found;
  const list = { name: 'scim-differences', filters: { id }, isKey: isSerial, keyOf: byId };
  return pageByKey(page, list, (afterId, limit) => listDifferences(database.pool, id, { afterId, limit }));
}

export async function listScimPushFailures(
  database: Database,
  id: string,
  page: PageRequest,
): Promise<Page<PushFailure>> {
  const found = await getScimTarget(database, id);
  if (!found.ok) return found;
  const list = {
    ...{ name: 'scim-failures', filters: { id }, isKey: () => true },
    keyOf: ({ kind, serial }: PushFailure) => `${kind}:${serial}`,
  };
  return pageByKey(page, list, (after, limit) => listPushFailures(database.pool, id, { after, limit }));
}

/** What was pushed stays there. */
export function deleteScimTarget(database: Database, id: string, caller: Caller): Promise<Result<object>> {
  return withTarget(database, id, async (tx) => {
    await removeTarget(tx, id);
    await recordAccess(tx, 'scim-target.deleted', caller, { detail: { targetId: id } });
    return {};
  });
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

async function checkUrl(
  { webhookTargets, webhookHosts }: UrlRules,
  url: string,
): Promise<Failure | undefined> {
  const refused = (problem: string) => failure('SCIM_TARGET_URL_REFUSED', `The URL ${problem}.`);
  const problem = webhookUrlProblem(url, webhookTargets, webhookHosts);
  if (problem !== undefined) return refused(problem);
  const found = await resolveTarget(new URL(url).hostname, webhookTargets);
  return found.ok ? undefined : refused(`has a host that ${found.problem}`);
}

function auditedSettings({ url, ...settings }: ScimTargetChange): Record<string, unknown> {
  return { ...settings, ...(url === undefined ? {} : { host: new URL(url).host }) };
}

async function withTarget<T extends object>(
  database: Database,
  id: string,
  work: (tx: Executor, target: Target) => Promise<T>,
): Promise<Result<T>> {
  if (!isSerial(id)) return targetNotFound();
  return transaction(database, async (tx): Promise<Result<T>> => {
    const target = await lockTarget(tx, id);
    return target ? { ok: true, ...(await work(tx, target)) } : targetNotFound();
  });
}

function targetNotFound(): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: failure('SCIM_TARGET_NOT_FOUND', 'No SCIM target has this ID.') };
}
