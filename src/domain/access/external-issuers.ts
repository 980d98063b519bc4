import { hash } from 'node:crypto';
import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import { type IssuerSettings, scopesIn } from '../../contract/issuers.js';
import {
  type ExternalIssuersOptions,
  ExternalKeyRing,
  type ExternalKeys,
  type ExternalToken,
  externalIssuersDefaults,
} from './external-keys.js';

/**
 * `why` helps whoever set up the issuer. Callers may read it, so it repeats nothing of the token or of our settings.
 * `unreachable`: the token cannot be checked because the issuer's keys are unavailable.
 */
export type ExternalVerdict =
  | { readonly ok: true; readonly token: ExternalToken }
  | { readonly ok: false; readonly reason: 'invalid'; readonly why: string }
  | { readonly ok: false; readonly reason: 'unreachable' };

export interface ExternalIssuers {
  /** Whether tokens with this `iss` are checked with the keys of a configured issuer. */
  knows(issuer: string): boolean;
  verify(issuer: string, token: string): Promise<ExternalVerdict>;
}

const clockToleranceSeconds = 5;
/** OpenID Connect limits subjects to 255 characters. Control characters do not belong in a log or a database. */
const subjectPattern = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/** Checks tokens of external issuers with the keys that they publish. */
export function createExternalIssuers(
  settings: readonly IssuerSettings[],
  options: Partial<ExternalIssuersOptions> = {},
): ExternalIssuers {
  const timing = { ...externalIssuersDefaults, ...options };
  const verifiers = new Map(settings.map((each) => [each.issuer, createVerifier(each, timing)]));
  return {
    knows: (issuer) => verifiers.has(issuer),
    verify: async (issuer, token) =>
      (await verifiers.get(issuer)?.(token)) ?? invalid('its issuer is unknown'),
  };
}

const unreachable: ExternalVerdict = { ok: false, reason: 'unreachable' };

function invalid(why: string): ExternalVerdict {
  return { ok: false, reason: 'invalid', why };
}

const reasons: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'it has expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'its signature does not match the keys of its issuer',
  ERR_JOSE_ALG_NOT_ALLOWED: 'its algorithm is not accepted',
};

function invalidBecause(error: unknown): ExternalVerdict {
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === 'missing') return invalid(`it has no claim ${error.claim}`);
    if (error.claim === 'aud') return invalid('it is meant for another audience');
    return invalid(error.claim === 'nbf' ? 'it is not valid yet' : `its claim ${error.claim} is not valid`);
  }
  const { code } = error as { code?: string };
  return invalid(reasons[code ?? ''] ?? 'it is not a valid JWT');
}

type Verifier = (token: string) => Promise<ExternalVerdict>;

function createVerifier(settings: IssuerSettings, options: ExternalIssuersOptions): Verifier {
  const ring = new ExternalKeyRing(settings.issuer, options);

  return async (token) => {
    const keys = await ring.current();
    if (keys === undefined) return unreachable;
    const verdict = await verifyOnce(token, keys, settings, options.now());
    if (verdict !== 'key unknown') return verdict;
    const newer = await ring.renewed();
    if (newer === undefined) return unreachable;
    const again = newer === keys ? verdict : await verifyOnce(token, newer, settings, options.now());
    return again === 'key unknown' ? invalid('its issuer has published no key with its key ID') : again;
  };
}

/** RFC 9068 specifies `at+jwt`; most issuers use `JWT` or nothing for access tokens as well. */
const accessTokenTypes = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];
/** Claims that OpenID Connect defines for ID tokens and other kinds, never for access tokens. */
const otherTokenClaims = ['nonce', 'at_hash', 'c_hash', 'events'];

/** Only an access token grants access. An ID token with the same audience only proves a sign-in elsewhere. */
function isAccessToken({ typ }: JWTHeaderParameters, payload: JWTPayload): boolean {
  if (!accessTokenTypes.includes(typ?.toLowerCase())) return false;
  if (otherTokenClaims.some((claim) => Object.hasOwn(payload, claim))) return false;
  return payload.typ === undefined || payload.typ === 'Bearer'; // Keycloak distinguishes its token types by this claim
}

/** Verifies each signature once. The result is cached together with the keys it was verified with. */
async function verifyOnce(
  token: string,
  keys: ExternalKeys,
  settings: IssuerSettings,
  nowMs: number,
): Promise<ExternalVerdict | 'key unknown'> {
  const digest = hash('sha256', token, 'base64'); // external tokens can be long, and ten thousand are cached
  const known = keys.verified.get(digest);
  if (known && known.expiresAtMs + clockToleranceSeconds * 1000 > nowMs) return { ok: true, token: known };
  try {
    // The key comes from the issuer's own key set, whatever jku, x5u or jwk in the header say.
    const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
      algorithms: [...settings.algorithms],
      issuer: settings.issuer,
      audience: settings.audience,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(nowMs),
    });
    if (!isAccessToken(protectedHeader, payload)) return invalid('it is not an access token');
    if (protectedHeader.crit !== undefined) return invalid('it has a critical extension');
    if (typeof payload.sub !== 'string' || !subjectPattern.test(payload.sub))
      return invalid('its claim sub is not valid');
    const found = {
      issuer: settings.issuer,
      subject: payload.sub,
      scopes: scopesIn(payload, settings),
      expiresAtMs: Number(payload.exp) * 1000,
    };
    keys.verified.set(digest, found);
    return { ok: true, token: found };
  } catch (error) {
    return error instanceof errors.JWKSNoMatchingKey ? 'key unknown' : invalidBecause(error);
  }
}
