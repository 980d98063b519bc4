import { randomBytes } from 'node:crypto';
import { scopes } from '../../src/contract/scopes.js';
import { hashSecret } from '../../src/domain/clients/client-credentials.js';
import type { ClientCredentials, TestService } from './service.js';

/** Inserts a client directly, for tests that disable it, restrict it or use up its rate limit. */
export async function givenClient(
  service: TestService,
  allowed: readonly string[] = scopes,
): Promise<ClientCredentials> {
  const clientId = `client-${randomBytes(6).toString('hex')}`;
  const clientSecret = randomBytes(32).toString('base64url');
  await service.database.pool.query(
    `WITH client AS (INSERT INTO clients (id, name, scopes) VALUES ($1, $1, $2))
     INSERT INTO client_secrets (client_id, secret_hash) VALUES ($1, $3)`,
    [clientId, allowed, hashSecret(clientSecret)],
  );
  return { clientId, clientSecret };
}
