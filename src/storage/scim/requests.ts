import type { ScimOperation, ScimResourceType } from '../../contract/enums.js';
import { scimLimits } from '../../contract/limits.js';
import type { Executor } from '../database.js';
import { joinedLists, plainArray, textArray } from '../sql.js';

export interface ScimRequest {
  readonly id: string;
  readonly at: string;
  readonly operation: ScimOperation;
  readonly resourceType: ScimResourceType | null;
  /** The serial of a user or tag. */
  readonly resourceId: string | null;
  readonly status: number;
  readonly scimType: string | null;
  /** The name of the error in the catalog. */
  readonly error: string | null;
  readonly ignoredAttributes: readonly string[];
  readonly durationMs: number;
}

export interface NewScimRequest extends ScimRequest {
  readonly clientId: string;
}

export async function insertScimRequests(
  executor: Executor,
  requests: readonly NewScimRequest[],
): Promise<void> {
  const { joined, separator } = joinedLists(requests.map(({ ignoredAttributes }) => ignoredAttributes));
  await executor.query({
    name: 'insert-scim-requests',
    text: `INSERT INTO scim_requests (id, client_id, at, operation, resource_type, resource_id, status, scim_type,
             error_code, duration_ms, ignored_attributes)
           SELECT id, client_id, at, operation, resource_type, resource_id, status, scim_type, error_code, duration_ms,
             string_to_array(ignored, $12)
           FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::smallint[],
             $8::text[], $9::text[], $10::integer[], $11::text[])
             AS new (id, client_id, at, operation, resource_type, resource_id, status, scim_type, error_code, duration_ms,
               ignored)`,
    values: [
      plainArray(requests.map(({ id }) => id)),
      textArray(requests.map(({ clientId }) => clientId)),
      textArray(requests.map(({ at }) => at)),
      textArray(requests.map(({ operation }) => operation)),
      textArray(requests.map(({ resourceType }) => resourceType)),
      textArray(requests.map(({ resourceId }) => resourceId)),
      plainArray(requests.map(({ status }) => status)),
      textArray(requests.map(({ scimType }) => scimType)),
      textArray(requests.map(({ error }) => error)),
      plainArray(requests.map(({ durationMs }) => durationMs)),
      joined,
      separator,
    ],
  });
}

/** Keeps the last requests of these providers. */
export async function deleteOlderScimRequests(
  executor: Executor,
  clientIds: readonly string[],
): Promise<void> {
  await executor.query({
    name: 'delete-older-scim-requests',
    text: `DELETE FROM scim_requests USING unnest($1::text[]) AS provider
           WHERE client_id = provider AND id <= (
             SELECT id FROM scim_requests WHERE client_id = provider ORDER BY id DESC OFFSET $2 LIMIT 1)`,
    values: [textArray(clientIds), scimLimits.requestsKept],
  });
}

/** Newest first. */
export async function listScimRequests(
  executor: Executor,
  {
    clientId,
    failedOnly,
    beforeId,
    limit,
  }: { clientId: string; failedOnly: boolean; beforeId: string | undefined; limit: number },
): Promise<ScimRequest[]> {
  const { rows } = await executor.query<Omit<ScimRequest, 'at'> & { at: Date }>({
    name: 'list-scim-requests',
    text: `SELECT id, at, operation, resource_type AS "resourceType", resource_id AS "resourceId", status,
                  scim_type AS "scimType", error_code AS error, ignored_attributes AS "ignoredAttributes",
                  duration_ms AS "durationMs"
           FROM scim_requests
           WHERE client_id = $1 AND ($2::uuid IS NULL OR id < $2) AND (NOT $3::boolean OR status >= 400)
           ORDER BY id DESC LIMIT $4`,
    values: [clientId, beforeId ?? null, failedOnly, limit],
  });
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
