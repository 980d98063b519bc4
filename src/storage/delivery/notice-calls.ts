import type { Executor } from '../database.js';

/** Who a notice about a planned call is about. */
export interface CallPeople {
  /** Whoever answers for the call; null if the name is unknown. */
  readonly author: string | null;
  /** Whoever approved or cancelled it. */
  readonly decider: string | null;
  /** The names of the first users whom it changes. */
  readonly users: readonly string[];
  readonly note: string | null;
  /** Why it was cancelled. */
  readonly cancelReason: string | null;
}

const usersMax = 3;

const nameOf = (kind: string, id: string) => `CASE ${kind}
  WHEN 'person' THEN (SELECT name FROM users WHERE serial::text = ${id})
  WHEN 'client' THEN (SELECT name FROM clients WHERE clients.id = ${id})
  WHEN 'feed' THEN (SELECT name FROM feeds WHERE key = ${id}) END`;

/** Read when a notice is sent, so that no names are stored with it. */
export async function getCallPeople(executor: Executor, callId: string): Promise<CallPeople | undefined> {
  const { rows } = await executor.query<CallPeople>({
    name: 'get-call-people',
    text: `SELECT ${nameOf('author_kind', 'author_id')} AS author,
             ${nameOf('coalesce(canceller_kind, approver_kind)', 'coalesce(canceller_id, approver_id)')} AS decider, note,
             cancel_reason AS "cancelReason",
             coalesce((SELECT json_agg(name) FROM (
               SELECT coalesce(users.name, preview #>> '{effect,fields,name,after}') AS name
               FROM planned_items LEFT JOIN users ON serial = user_serial
               WHERE planned_items.call_id = calls.id AND preview #>> '{effect,kind}' <> 'unchanged'
               ORDER BY position LIMIT ${usersMax}) AS first WHERE name IS NOT NULL), '[]') AS users
           FROM calls JOIN planned_calls ON call_id = calls.id WHERE calls.id = $1`,
    values: [callId],
  });
  return rows[0];
}
