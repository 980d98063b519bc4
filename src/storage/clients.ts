import type { Executor } from './database.js';

export interface Client {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly secretHashes: readonly string[];
  readonly isDisabled: boolean;
}

export async function getClient(executor: Executor, id: string): Promise<Client | undefined> {
  const { rows } = await executor.query<Client>({
    name: 'get-client',
    text: `SELECT id, scopes, secret_hashes AS "secretHashes", disabled_at IS NOT NULL AS "isDisabled"
           FROM clients WHERE id = $1`,
    values: [id],
  });
  return rows[0];
}

/** Makes the client, or sets the secret of the one that is there. Never enables a disabled one. */
export async function ensureClient(
  executor: Executor,
  client: { id: string; name: string; scopes: readonly string[]; secretHash: string },
): Promise<void> {
  await executor.query(
    `INSERT INTO clients (id, name, scopes, secret_hashes) VALUES ($1, $2, $3, ARRAY[$4])
     ON CONFLICT (id) DO UPDATE SET secret_hashes = ARRAY[$4]`,
    [client.id, client.name, client.scopes, client.secretHash],
  );
}
