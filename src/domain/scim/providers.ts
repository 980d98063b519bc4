import type { Failure } from '../../contract/errors.js';
import {
  deactivationLimit,
  defaultSettings,
  type ProviderPreset,
  type ProviderSettings,
  providerPresets,
} from '../../scim/provider-settings.js';
import { lockClient } from '../../storage/access/clients.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import {
  allowMore,
  getProvider,
  getProviderRow,
  listProviderRows,
  lockProvider,
  type ProviderRow,
  storeProvider,
} from '../../storage/scim/providers.js';
import { listScimRequests as readRequests, type ScimRequest } from '../../storage/scim/requests.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import { isStorableId } from '../clients/client-credentials.js';
import { providerProblem } from '../clients/client-tokens.js';
import { clientNotFound } from '../clients/clients.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import type { Result } from '../result.js';
import { isSerial } from '../serial.js';
import { forgetSettings } from './provider-settings.js';

/** A client that is an identity provider, as administrators see it. */
export interface Provider {
  readonly clientId: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly settings: ProviderPreset;
  readonly deactivations: {
    readonly used: number;
    /** Null if it may deactivate any number. */
    readonly limit: number | null;
    readonly allowedMore: number;
    readonly allowedUntil: string | null;
  };
  readonly lastRequestAt: string | null;
  readonly failedRequests: number;
}

export async function getScimProvider(
  { pool }: Database,
  clientId: string,
): Promise<Result<{ provider: Provider }>> {
  const row = isStorableId(clientId) ? await getProviderRow(pool, clientId) : undefined;
  return row ? { ok: true, provider: providerOf(row) } : clientNotFound();
}

export async function listScimProviders({ pool }: Database, page: PageRequest): Promise<Page<Provider>> {
  const list = {
    ...{ name: 'scim-providers', filters: {}, isKey: () => true },
    keyOf: ({ clientId }: Provider) => clientId,
  };
  return pageByKey(page, list, async (afterId, limit) =>
    (await listProviderRows(pool, { afterId, limit })).map(providerOf),
  );
}

/** The kind, and settings that differ from its preset. */
export type ProviderChange = Pick<ProviderPreset, 'kind'> & {
  readonly [Name in keyof ProviderPreset]?: ProviderPreset[Name] | null | undefined;
};

/** Replaces the settings of a provider. */
export async function setScimProvider(
  database: Database,
  clientId: string,
  change: ProviderChange,
  caller: Caller,
): Promise<Result<{ provider: Provider }>> {
  const stored = await withProvider(database, clientId, async (tx) => {
    const before = (await getProvider(tx, clientId)) ?? defaultSettings(clientId);
    const after = { clientId, ...settingsOf(change) };
    await storeProvider(tx, after);
    const detail = differences(before, after);
    if (Object.keys(detail).length > 0) {
      await recordAccess(tx, 'provider.changed', caller, { clientId, detail });
    }
  });
  forgetSettings(database, clientId);
  return stored;
}

/** Lets the provider deactivate more users than its limit for some hours. */
export function allowScimDeactivations(
  database: Database,
  clientId: string,
  { count, hours }: { readonly count: number; readonly hours: number },
  caller: Caller,
): Promise<Result<{ provider: Provider }>> {
  return withProvider(database, clientId, async (tx) => {
    await lockProvider(tx, defaultSettings(clientId));
    await allowMore(tx, { clientId, more: count, hours });
    await recordAccess(tx, 'provider.deactivations-allowed', caller, { clientId, detail: { count, hours } });
  });
}

/** The last requests of a provider, newest first. */
export async function listScimRequests(
  { pool }: Database,
  clientId: string,
  failedOnly: boolean,
  page: PageRequest,
): Promise<Page<ScimRequest>> {
  if (!isStorableId(clientId) || !(await getProviderRow(pool, clientId))) return clientNotFound();
  const list = { name: 'scim-requests', filters: { clientId, failedOnly }, isKey: isSerial, keyOf: byId };
  return pageByKey(page, list, (beforeId, limit) =>
    readRequests(pool, { clientId, failedOnly, beforeId, limit }),
  );
}

async function withProvider(
  database: Database,
  clientId: string,
  work: (tx: Executor) => Promise<void>,
): Promise<Result<{ provider: Provider }>> {
  if (!isStorableId(clientId)) return clientNotFound();
  return transaction(database, async (tx): Promise<Result<{ provider: Provider }>> => {
    const client = await lockClient(tx, clientId);
    if (!client) return clientNotFound();
    const problem: Failure | undefined = providerProblem(client);
    if (problem) return { ok: false, failure: problem };
    await work(tx);
    return { ok: true, provider: providerOf((await getProviderRow(tx, clientId)) as ProviderRow) };
  });
}

function settingsOf(change: ProviderChange): ProviderPreset {
  const preset = providerPresets[change.kind];
  return {
    kind: change.kind,
    onDelete: change.onDelete ?? preset.onDelete,
    employeeId: change.employeeId ?? preset.employeeId,
    visibleUsers: change.visibleUsers ?? preset.visibleUsers,
    unknownAttributes: change.unknownAttributes ?? preset.unknownAttributes,
    deactivationPercent: change.deactivationPercent ?? preset.deactivationPercent,
  };
}

function differences(before: ProviderSettings, after: ProviderSettings): Record<string, unknown> {
  const names = (Object.keys(providerPresets.other) as (keyof ProviderPreset)[]).filter(
    (name) => before[name] !== after[name],
  );
  return Object.fromEntries(names.map((name) => [name, { before: before[name], after: after[name] }]));
}

function providerOf(row: ProviderRow): Provider {
  const { clientId, name, isActive, deactivated, activeUsers, allowedMore, allowedUntil } = row;
  const settings = row.settings ?? providerPresets.other;
  const limit = deactivationLimit({ activeUsers, percent: settings.deactivationPercent, allowedMore });
  return {
    ...{ clientId, name, isActive, settings },
    deactivations: { used: deactivated, limit: limit ?? null, allowedMore, allowedUntil },
    lastRequestAt: row.lastRequestAt,
    failedRequests: row.failedRequests,
  };
}
