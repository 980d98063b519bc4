import { decodeJwt } from 'jose';
import { type Failure, failure, retry } from '../../contract/errors.js';
import { scopesOfRole } from '../../contract/scopes.js';
import { getSession, noteSessionUse } from '../../storage/access/sessions.js';
import type { Database } from '../../storage/database.js';
import type { Actor } from '../caller.js';
import { hashSecret, isLongLivedToken } from '../clients/client-credentials.js';
import type { ClientTokens } from './client-tokens.js';
import type { ExternalIssuers } from './external-issuers.js';
import type { LongLivedTokens } from './long-lived-tokens.js';
import { isSessionToken, sessionEnded } from './sessions.js';

export type Authentication =
  | { readonly ok: true; readonly actor: Actor }
  /** `why` an external token is invalid, in words without personal data. */
  | { readonly ok: false; readonly failure: Failure; readonly why?: string };

/** Sessions end if nobody uses them. `isUnattended` says that a program sent the request by itself. */
export type Authenticator = (token: string, isUnattended?: boolean) => Promise<Authentication>;

/** Longer tokens do not fit into the default header size. External issuers include whole lists of groups. */
const tokenMaxLength = 16_384;

/** Checks tokens of all kinds: session tokens, long-lived tokens, tokens of external issuers, and our own. */
export function createAuthenticator(
  database: Database,
  clientTokens: ClientTokens,
  longLivedTokens: LongLivedTokens,
  outsideIssuers: ExternalIssuers,
  sessionIdleSeconds: number,
): Authenticator {
  return async (token, isUnattended = false) => {
    const cached = clientTokens.cached(token) ?? longLivedTokens.cached(token);
    if (cached) return { ok: true, actor: cached };
    if (token.length > tokenMaxLength) return rejected(tokenInvalid);
    if (isSessionToken(token)) return authenticateSession(database, token, sessionIdleSeconds, isUnattended);
    if (isLongLivedToken(token)) {
      const actor = await longLivedTokens.check(token);
      return actor ? { ok: true, actor } : rejected(longLivedTokenInvalid);
    }
    const issuer = externalIssuerOf(token, outsideIssuers);
    if (issuer !== undefined) return authenticateExternal(outsideIssuers, issuer, token);
    const actor = await clientTokens.check(token);
    return actor ? { ok: true, actor } : rejected(tokenInvalid);
  };
}

async function authenticateSession(
  { pool }: Database,
  token: string,
  idleSeconds: number,
  isUnattended: boolean,
): Promise<Authentication> {
  const tokenHash = hashSecret(token);
  const session = await getSession(pool, tokenHash, idleSeconds);
  if (session === undefined) return rejected(sessionEnded);
  const { id: sessionId, serial, role, isSeenLongAgo, ...user } = session;
  // A database that can't be written to now still answers questions.
  if (isSeenLongAgo && !isUnattended) await noteSessionUse(pool, tokenHash).catch(() => {});
  const scopes = new Set(role === null ? [] : scopesOfRole[role]);
  return {
    ok: true,
    actor: { kind: 'person', id: serial, scopes, role, ...user, sessionId, tokenHash },
  };
}

async function authenticateExternal(
  issuers: ExternalIssuers,
  issuer: string,
  token: string,
): Promise<Authentication> {
  const verdict = await issuers.verify(issuer, token);
  if (!verdict.ok) {
    if (verdict.reason === 'unreachable') return rejected(issuerUnreachable);
    const detail = `The token is invalid: ${verdict.why}. Get a new one from its issuer.`;
    return { ok: false, failure: failure('ACCESS_TOKEN_INVALID', detail), why: verdict.why };
  }
  const { subject, scopes } = verdict.token;
  return { ok: true, actor: { kind: 'outside', id: `${issuer}#${subject}`, scopes: new Set(scopes) } };
}

/** Read before anything is verified, so it can be any text. It only selects the keys to verify the token with. */
function externalIssuerOf(token: string, issuers: ExternalIssuers): string | undefined {
  try {
    const { iss } = decodeJwt(token);
    return iss !== undefined && issuers.knows(iss) ? iss : undefined;
  } catch {
    return undefined;
  }
}

function rejected(problem: Failure): Authentication {
  return { ok: false, failure: problem };
}

const tokenInvalid = failure(
  'ACCESS_TOKEN_INVALID',
  'The token is invalid or has expired. Get a new one from POST /oauth/token.',
);

const longLivedTokenInvalid = failure(
  'ACCESS_TOKEN_INVALID',
  'The token was revoked or has expired, or its client is disabled. An administrator creates another one with POST /service/clients/{id}/tokens.',
);

const issuerUnreachable = failure(
  'SERVICE_UNAVAILABLE',
  'The issuer of this token is unreachable, so the token cannot be verified. Nothing was changed; retry in a moment.',
  retry,
);
