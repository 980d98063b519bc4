import type {
  DeletionChoice,
  EmployeeIdSource,
  ProviderKind,
  UnknownAttributes,
  VisibleUsers,
} from '../../contract/enums.js';
import type { Executor } from '../database.js';
import { allowedNow, deactivationsUsed } from './deactivations.js';

export interface StoredProvider {
  readonly clientId: string;
  readonly kind: ProviderKind;
  readonly onDelete: DeletionChoice;
  readonly employeeId: EmployeeIdSource;
  readonly visibleUsers: VisibleUsers;
  readonly unknownAttributes: UnknownAttributes;
  readonly deactivationPercent: number;
}

const storedColumns = 'kind, on_delete, employee_id, visible_users, unknown_attributes, deactivation_percent';

const settings = `kind, on_delete AS "onDelete", employee_id AS "employeeId", visible_users AS "visibleUsers",
  unknown_attributes AS "unknownAttributes", deactivation_percent AS "deactivationPercent"`;

function valuesOf(provider: StoredProvider): unknown[] {
  return [
    provider.clientId,
    provider.kind,
    provider.onDelete,
    provider.employeeId,
    provider.visibleUsers,
    provider.unknownAttributes,
    provider.deactivationPercent,
  ];
}

export async function getProvider(executor: Executor, clientId: string): Promise<StoredProvider | undefined> {
  const { rows } = await executor.query<StoredProvider>({
    name: 'get-scim-provider',
    text: `SELECT client_id AS "clientId", ${settings} FROM scim_providers WHERE client_id = $1`,
    values: [clientId],
  });
  return rows[0];
}

export async function storeProvider(tx: Executor, provider: StoredProvider): Promise<void> {
  await tx.query(
    `INSERT INTO scim_providers (client_id, ${storedColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (client_id) DO UPDATE SET (updated_at, ${storedColumns}) = ROW (now(), $2, $3, $4, $5, $6, $7)`,
    valuesOf(provider),
  );
}

export interface LockedProvider {
  readonly percent: number;
  /** What an administrator has allowed in addition, for now. */
  readonly allowedMore: number;
}

/** Locks the provider until the transaction ends. One without a row gets the given settings. */
export async function lockProvider(tx: Executor, otherwise: StoredProvider): Promise<LockedProvider> {
  const { rows } = await tx.query<LockedProvider>({
    name: 'lock-scim-provider',
    text: `INSERT INTO scim_providers (client_id, ${storedColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (client_id) DO UPDATE SET client_id = excluded.client_id
           RETURNING deactivation_percent AS percent, ${allowedNow.replaceAll('allowed_', 'scim_providers.allowed_')} AS "allowedMore"`,
    values: valuesOf(otherwise),
  });
  return rows[0] as LockedProvider;
}

/** Replaces what was allowed before. */
export async function allowMore(
  tx: Executor,
  { clientId, more, hours }: { clientId: string; more: number; hours: number },
): Promise<void> {
  await tx.query(
    `UPDATE scim_providers SET allowed_more = $2, allowed_until = now() + make_interval(hours => $3), limit_noticed_at = NULL
     WHERE client_id = $1`,
    [clientId, more, hours],
  );
}

/** The name of a provider that has reached its limit; undefined if people were told within the last hours. */
export async function claimLimitNotice(
  tx: Executor,
  clientId: string,
  hours: number,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ name: string }>({
    name: 'claim-scim-limit-notice',
    text: `UPDATE scim_providers SET limit_noticed_at = now()
           WHERE client_id = $1 AND coalesce(limit_noticed_at < now() - make_interval(hours => $2), true)
           RETURNING coalesce((SELECT name FROM clients WHERE id = client_id), client_id) AS name`,
    values: [clientId, hours],
  });
  return rows[0]?.name;
}

/** A client that is an identity provider. Settings are null if nobody has made any. */
export interface ProviderRow {
  readonly clientId: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly settings: Omit<StoredProvider, 'clientId'> | null;
  readonly deactivated: number;
  readonly activeUsers: number;
  readonly allowedMore: number;
  readonly allowedUntil: string | null;
  readonly lastRequestAt: string | null;
  readonly failedRequests: number;
}

const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const shownProviders = `SELECT clients.id AS "clientId", name, disabled_at IS NULL AS "isActive",
    CASE WHEN client_id IS NOT NULL THEN json_build_object(
      'kind', kind, 'onDelete', on_delete, 'employeeId', employee_id, 'visibleUsers', visible_users,
      'unknownAttributes', unknown_attributes, 'deactivationPercent', deactivation_percent) END AS settings,
    ${deactivationsUsed('clients.id')} AS deactivated, users_active AS "activeUsers", ${allowedNow} AS "allowedMore",
    CASE WHEN allowed_until > now() THEN ${time('allowed_until')} END AS "allowedUntil",
    (SELECT ${time('max(at)')} FROM scim_requests WHERE client_id = clients.id) AS "lastRequestAt",
    (SELECT count(*)::integer FROM scim_requests WHERE client_id = clients.id AND status >= 400) AS "failedRequests"
  FROM index_state CROSS JOIN clients LEFT JOIN scim_providers ON client_id = clients.id`;

/** Of any client, also one that is no provider yet. */
export async function getProviderRow(executor: Executor, clientId: string): Promise<ProviderRow | undefined> {
  const { rows } = await executor.query<ProviderRow>({
    name: 'get-scim-provider-row',
    text: `${shownProviders} WHERE clients.id = $1`,
    values: [clientId],
  });
  return rows[0];
}

/** In the order of their IDs: clients with the scope that have settings, a token or requests. */
export async function listProviderRows(
  executor: Executor,
  { afterId, limit }: { afterId: string | undefined; limit: number },
): Promise<ProviderRow[]> {
  const { rows } = await executor.query<ProviderRow>({
    name: 'list-scim-providers',
    text: `${shownProviders}
           WHERE 'scim' = ANY (scopes) AND clients.id > $1
             AND (client_id IS NOT NULL
               OR EXISTS (SELECT FROM client_tokens WHERE client_tokens.client_id = clients.id)
               OR EXISTS (SELECT FROM scim_requests WHERE scim_requests.client_id = clients.id))
           ORDER BY clients.id LIMIT $2`,
    values: [afterId ?? '', limit],
  });
  return rows;
}
