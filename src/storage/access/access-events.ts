import type { AccessEventKind } from '../../contract/access-events.js';
import type { Executor } from '../database.js';
import { deleteBatch, plainArray, textArray, whereAll } from '../sql.js';

export interface AccessEvent {
  readonly id: string;
  readonly at: string;
  readonly kind: AccessEventKind;
  readonly actor: { readonly kind: string; readonly id: string } | null;
  readonly userSerial: string | null;
  readonly clientId: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export type NewAccessEvent = Omit<AccessEvent, 'at'>;

export const newEventColumns =
  'id, kind, actor_kind, actor_id, user_serial, client_id, address, request_id, detail';

export function newEventValues(event: NewAccessEvent): unknown[] {
  return [
    event.id,
    event.kind,
    event.actor?.kind ?? null,
    event.actor?.id ?? null,
    event.userSerial,
    event.clientId,
    event.address,
    event.requestId,
    JSON.stringify(event.detail),
  ];
}

export async function insertAccessEvent(executor: Executor, event: NewAccessEvent): Promise<void> {
  await executor.query({
    name: 'insert-access-event',
    text: `INSERT INTO access_events (${newEventColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: newEventValues(event),
  });
}

/** Adds to the details of a recorded event. */
export async function addToAccessEvent(
  executor: Executor,
  id: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await executor.query(`UPDATE access_events SET detail = coalesce(detail, '{}') || $2 WHERE id = $1`, [
    id,
    JSON.stringify(detail),
  ]);
}

/** Inserts any number of events in one statement. */
export async function insertAccessEvents(tx: Executor, events: readonly NewAccessEvent[]): Promise<void> {
  await tx.query({
    name: 'insert-access-events',
    text: `INSERT INTO access_events (${newEventColumns})
           SELECT id, kind, actor_kind, actor_id, user_serial, client_id, address, request_id, detail::jsonb
           FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[])
             AS new (${newEventColumns})`,
    values: [
      plainArray(events.map(({ id }) => id)),
      textArray(events.map(({ kind }) => kind)),
      textArray(events.map(({ actor }) => actor?.kind ?? null)),
      textArray(events.map(({ actor }) => actor?.id ?? null)),
      textArray(events.map(({ userSerial }) => userSerial)),
      textArray(events.map(({ clientId }) => clientId)),
      textArray(events.map(({ address }) => address)),
      textArray(events.map(({ requestId }) => requestId)),
      textArray(events.map(({ detail }) => JSON.stringify(detail))),
    ],
  });
}

/** The details of the last event of a kind that concerns the user. */
export async function lastEventOf(
  executor: Executor,
  userSerial: string,
  kind: AccessEventKind,
): Promise<AccessEvent['detail'] | undefined> {
  const { rows } = await executor.query<{ detail: AccessEvent['detail'] }>({
    name: 'last-event-of',
    text: 'SELECT detail FROM access_events WHERE user_serial = $1 AND kind = $2 ORDER BY id DESC LIMIT 1',
    values: [userSerial, kind],
  });
  return rows[0]?.detail;
}

export interface AccessEventFilters {
  readonly kind?: string;
  readonly notKind?: string;
  readonly userSerial?: string;
  readonly clientId?: string;
  readonly actorId?: string;
  readonly since?: string;
  readonly until?: string;
}

/** Newest first. */
export async function listAccessEvents(
  executor: Executor,
  page: { filters: AccessEventFilters; beforeId: string | undefined; limit: number },
): Promise<AccessEvent[]> {
  const { filters, beforeId, limit } = page;
  const { where, values } = whereAll(
    {
      'id < ?': beforeId,
      'kind = ?': filters.kind,
      'kind <> ?': filters.notKind,
      'user_serial = ?': filters.userSerial,
      'client_id = ?': filters.clientId,
      // Nobody else makes someone sign in.
      'coalesce(actor_id, user_serial::text, client_id) = ?': filters.actorId,
      'at >= ?': filters.since,
      'at < ?': filters.until,
    },
    [limit],
  );
  const { rows } = await executor.query<
    Omit<AccessEvent, 'at' | 'detail'> & { at: Date; detail: object | null }
  >(
    `SELECT id, at, kind, CASE WHEN actor_id IS NOT NULL THEN json_build_object('kind', actor_kind, 'id', actor_id) END AS actor,
            user_serial AS "userSerial", client_id AS "clientId", address, request_id AS "requestId", detail
     FROM access_events WHERE ${where} ORDER BY id DESC LIMIT $1`,
    values,
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString(), detail: { ...row.detail } }));
}

/** Returns true if there may be more. */
export function deleteOldAccessEvents(executor: Executor, olderThanDays: number): Promise<boolean> {
  const condition = 'at < now() - make_interval(days => $1)';
  return deleteBatch(executor, { table: 'access_events', condition, values: [olderThanDays] });
}

/**
 * Removes the details of events about the users, and the addresses they came from. An address stays if somebody else
 * did something to the user: then it is not the user's.
 */
export async function eraseAccessEvents(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'erase-events-about',
    text: `UPDATE access_events SET detail = '{}', address = CASE WHEN actor_id <> user_serial::text THEN address END
           WHERE user_serial = ANY ($1::uuid[])`,
    values: [plainArray(serials)],
  });
  await tx.query({
    name: 'erase-events-by',
    text: `UPDATE access_events SET address = NULL WHERE actor_kind = 'person' AND actor_id = ANY ($1::text[])`,
    values: [textArray(serials)],
  });
}

/** When these users last signed in. Each one costs a look at their newest events. */
export async function lastSignInsOf(
  executor: Executor,
  serials: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await executor.query<{ serial: string; at: Date }>({
    name: 'last-sign-ins-of',
    text: `SELECT serial, event.at
           FROM unnest($1::uuid[]) AS serial
           CROSS JOIN LATERAL (SELECT at FROM access_events
             WHERE user_serial = serial AND kind = 'sign-in.succeeded' ORDER BY id DESC LIMIT 1) AS event`,
    values: [plainArray(serials)],
  });
  return new Map(rows.map(({ serial, at }) => [serial, at.toISOString()]));
}
