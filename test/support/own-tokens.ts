import { type CryptoKey, importJWK, type JWK, SignJWT } from 'jose';
import type { TestService } from './service.js';

/** The public URL of test services. */
export const tokenIssuer = 'http://localhost:8080';

/** The key that the service signs with. */
export async function signingKey({ database, context }: TestService): Promise<{ kid: string; jwk: JWK }> {
  const { rows } = await database.pool.query(
    `SELECT kid, private_jwk AS jwk, secret FROM signing_keys
     WHERE retired_at IS NULL AND secret_key_id = $1 ORDER BY created_at DESC`,
    [context.cipher.keyId],
  );
  const { kid, jwk, secret } = rows[0];
  return { kid, jwk: { ...jwk, d: context.cipher.decrypt(secret, `signing key ${kid}`) } };
}

export interface TokenChanges {
  /** Undefined claims are omitted. */
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  readonly key?: CryptoKey | Uint8Array;
}

/** What the service itself would sign for this client, except for the changes. */
export async function signedToken(
  service: TestService,
  clientId: string,
  { claims, header, key }: TokenChanges = {},
): Promise<string> {
  const { kid, jwk } = await signingKey(service);
  return new SignJWT({ ...claimsOf(clientId), ...claims })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt', ...header })
    .sign(key ?? (await importJWK(jwk, 'ES256')));
}

/** Claims that the service itself would sign. Without a generation, as in tokens of earlier versions. */
export function claimsOf(clientId: string): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  return {
    scope: 'users:read users:write access:admin audit:read',
    iss: tokenIssuer,
    aud: 'rollcall',
    sub: clientId,
    client_id: clientId,
    iat: now,
    exp: now + 60,
    jti: crypto.randomUUID(),
  };
}
