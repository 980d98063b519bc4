import { expect, test } from 'vitest';
import { createClientAuthenticator } from '../../src/domain/access/authenticate-client.js';
import { ThrottledEvents } from '../../src/domain/audit/throttled-events.js';
import { givenClient } from '../support/clients.js';
import { newId, useService } from '../support/service.js';

const service = useService();

test('a flood of rejected clients writes a limited number of events and counts the rest', async () => {
  const { database } = service;
  const { clientId } = await givenClient(service);
  const counted = new ThrottledEvents(database.pool);
  const authenticate = createClientAuthenticator(database, counted);
  const { rows: before } = await database.pool.query('SELECT id FROM access_events');
  const requestId = newId('flood-');
  // Half of them guess the secret of a client, the other half a client ID; from 120 networks, twice each.
  for (let at = 0; at < 240; at++) {
    const address = `198.18.0.${at % 120}`;
    const id = at % 2 === 0 ? clientId : newId('nobody');
    const refused = await authenticate({ clientId: id, clientSecret: 'guess' }, { requestId, address });
    expect(refused.ok).toBe(false);
  }
  await counted.flush();
  const { rows } = await database.pool.query<{ id: string; detail: { reason?: string; repeated?: number } }>(
    `SELECT id, detail FROM access_events WHERE kind = 'token.refused' AND NOT (id = ANY ($1::uuid[]))
       AND (request_id = $2 OR request_id IS NULL)`,
    [before.map(({ id }) => id), requestId],
  );
  // 100 individual events, and for the rest of the flood one row for the client and one for unknown clients.
  expect(rows.length).toBe(102);
  const refusals = rows.reduce((sum, { detail }) => sum + 1 + (detail.repeated ?? 0), 0);
  expect(refusals, 'none is lost').toBe(240);
  expect(new Set(rows.map(({ detail }) => detail.reason))).toEqual(
    new Set(['wrong-secret', 'unknown-client']),
  );
});
