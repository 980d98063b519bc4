import type { AccessEventKind } from '../../src/contract/access-events.js';
import type { TestService } from './service.js';

/** Repeated ones are counted, and the count is written up to a minute later. */
const throttledEvents: readonly AccessEventKind[] = [
  'request.forbidden',
  'sign-in.delayed',
  'token.issued',
  'token.refused',
];

const indexTables = [
  'call_changes',
  'change_counts',
  'inactive_managers',
  'inactive_users',
  'index_state',
  'listed_attributes',
  'organizations',
  'tags',
  'user_changes',
  'former_names',
  'name_words',
  'user_listing',
];

/** Written by every process every few seconds. */
const heartbeats = 'node_heartbeats';
/** Of requests without a token, which nodes write down now and then. */
const requestCounts = 'request_counts';
/** With the time of their last use, which any request may note. */
const clients = 'clients';

/**
 * The state of every table, including the marks of row locks (xmax), and of every sequence. Two equal states mean that
 * nothing was written or locked in between. What the service writes later, in the background, is excluded, because it
 * may be for other tests of the worker: counts of repeated events, heartbeats, uses of clients, and the tables of the indexer.
 */
export async function tableStates({ database }: TestService): Promise<Record<string, string>> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> ALL ($1) ORDER BY 1`,
    [[...indexTables, heartbeats, requestCounts, clients]],
  );
  const states: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await database.pool.query<{ state: string }>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(md5(t.xmin || ' ' || t.xmax || t::text), '' ORDER BY t.ctid)), '') AS state
       FROM "${name}" AS t ${name === 'access_events' ? 'WHERE kind <> ALL ($1)' : ''}`,
      name === 'access_events' ? [throttledEvents] : [],
    );
    states[name] = rows[0]?.state ?? '';
  }
  const { rows } = await database.pool.query<{ name: string; state: string }>(
    `SELECT sequencename AS name, coalesce(last_value::text, '') AS state FROM pg_sequences WHERE schemaname = 'public'`,
  );
  for (const { name, state } of rows) states[name] = state;
  return states;
}

/** The tables and sequences whose states differ. */
export function changedBetween(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(after).filter((name) => before[name] !== after[name]);
}
