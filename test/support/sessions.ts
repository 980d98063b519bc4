import { hashSecret } from '../../src/domain/clients/client-credentials.js';
import type { TestService } from './service.js';

/** The header with which a browser on this machine sends the session of the console. */
export function cookieOf({ url }: TestService, token: string): { readonly cookie: string } {
  return { cookie: `rollcall-local${new URL(url).port}=${token}` };
}

/** The user of the session has not proved for an hour who they are. */
export async function proveLongAgo(service: TestService, token: string): Promise<void> {
  await setSession(service, token, "proven_at = now() - interval '1 hour'");
}

export async function setSession({ database }: TestService, token: string, change: string): Promise<void> {
  const { rowCount } = await database.pool.query(`UPDATE sessions SET ${change} WHERE token_hash = $1`, [
    hashSecret(token),
  ]);
  if (rowCount !== 1) throw new Error('there is no such session');
}
