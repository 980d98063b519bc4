import type { TestService } from './service.js';

/** A stored row of the change log. */
export interface ChangeRow {
  readonly kind: string;
  readonly userSerial: string | null;
  readonly version: number | null;
  readonly callId: string | null;
  /** Kind and ID; null for the service itself. */
  readonly actor: string | null;
  readonly requestId: string | null;
  readonly fields: Record<string, unknown>;
}

async function rowsWhere(service: TestService, condition: string, value: unknown): Promise<ChangeRow[]> {
  const { rows } = await service.database.pool.query<ChangeRow>(
    `SELECT kind, user_serial AS "userSerial", version, call_id AS "callId", actor_kind || ' ' || actor_id AS actor,
            request_id AS "requestId", fields
     FROM changes WHERE ${condition} ORDER BY seq`,
    [value],
  );
  return rows;
}

/** The changes of a user, in order. */
export function changesOf(service: TestService, serial: string): Promise<ChangeRow[]> {
  return rowsWhere(service, 'user_serial = $1', serial);
}

/** Everything that a request logged, including the row of its call. */
export function changesOfRequest(service: TestService, requestId: string): Promise<ChangeRow[]> {
  return rowsWhere(service, 'request_id = $1', requestId);
}

/** Everything that a call logged, including its own row. */
export function changesOfCall(service: TestService, callId: string): Promise<ChangeRow[]> {
  return rowsWhere(service, 'call_id = $1', callId);
}

/** The fields of a change that sets previously empty values. */
export function fromNothing(after: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(after).map(([field, value]) => [field, { before: null, after: value }]),
  );
}

/** What an update without changes must not touch. */
export async function versionOf(service: TestService, serial: string): Promise<unknown> {
  const { rows } = await service.database.pool.query(
    'SELECT version, updated_at::text AS "updatedAt" FROM users WHERE serial = $1',
    [serial],
  );
  return rows[0];
}
