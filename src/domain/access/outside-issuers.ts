import { hash } from 'node:crypto';
import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import { type IssuerSettings, scopesIn } from '../../contract/issuers.js';
import {
  type OutsideIssuersOptions,
  OutsideKeyRing,
  type OutsideKeys,
  type OutsideToken,
  outsideIssuersDefaults,
} from './outside-keys.js';

/** 'unreachable': nobody can tell, because the keys for it cannot be had at the moment. */
export type OutsideVerdict =
  | { readonly ok: true; readonly token: OutsideToken }
  | { readonly ok: false; readonly reason: 'invalid' | 'unreachable' };

export interface OutsideIssuers {
  /** Whether a token that names this issuer is for us to check with its keys. */
  knows(issuer: string): boolean;
  verify(issuer: string, token: string): Promise<OutsideVerdict>;
}

const clockToleranceSeconds = 5;
/** OpenID Connect allows no longer ones; what cannot be printed has no place in a log or a database. */
const subjectPattern = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/** Checks tokens of outside issuers with the keys that these publish. */
export function createOutsideIssuers(
  settings: readonly IssuerSettings[],
  options: Partial<OutsideIssuersOptions> = {},
): OutsideIssuers {
  const timing = { ...outsideIssuersDefaults, ...options };
  const verifiers = new Map(settings.map((each) => [each.issuer, createVerifier(each, timing)]));
  return {
    knows: (issuer) => verifiers.has(issuer),
    verify: async (issuer, token) => (await verifiers.get(issuer)?.(token)) ?? invalid,
  };
}

const invalid: OutsideVerdict = { ok: false, reason: 'invalid' };
const unreachable: OutsideVerdict = { ok: false, reason: 'unreachable' };

type Verifier = (token: string) => Promise<OutsideVerdict>;

function createVerifier(settings: IssuerSettings, options: OutsideIssuersOptions): Verifier {
  const ring = new OutsideKeyRing(settings.issuer, options);

  return async (token) => {
    const keys = await ring.current();
    if (keys === undefined) return unreachable;
    const verdict = await verifyOnce(token, keys, settings, options.now());
    if (verdict !== 'key unknown') return verdict;
    const newer = await ring.renewed();
    if (newer === undefined) return unreachable;
    const again = newer === keys ? verdict : await verifyOnce(token, newer, settings, options.now());
    return again === 'key unknown' ? invalid : again;
  };
}

/** RFC 9068 says `at+jwt`; most issuers say `JWT` or nothing for access tokens as well. */
const accessTokenTypes = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];
/** Claims that OpenID Connect defines for ID tokens and other kinds, never for access tokens. */
const otherTokenClaims = ['nonce', 'at_hash', 'c_hash', 'events'];

/** Only an access token grants access: an ID token with the same audience proves a sign-in elsewhere and nothing more. */
function isAccessToken({ typ }: JWTHeaderParameters, payload: JWTPayload): boolean {
  if (!accessTokenTypes.includes(typ?.toLowerCase())) return false;
  if (otherTokenClaims.some((claim) => Object.hasOwn(payload, claim))) return false;
  return payload.typ === undefined || payload.typ === 'Bearer'; // Keycloak tells its kinds apart by a claim.
}

/** A signature is checked once per token: what was found out is kept with the keys it was checked with. */
async function verifyOnce(
  token: string,
  keys: OutsideKeys,
  settings: IssuerSettings,
  nowMs: number,
): Promise<OutsideVerdict | 'key unknown'> {
  const digest = hash('sha256', token, 'base64'); // Outside tokens can be long, and ten thousand are kept.
  const known = keys.verified.get(digest);
  if (known && known.expiresAtMs + clockToleranceSeconds * 1000 > nowMs) return { ok: true, token: known };
  try {
    // The key comes out of the issuer's own set, whatever jku, x5u or jwk in the header say.
    const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
      algorithms: [...settings.algorithms],
      issuer: settings.issuer,
      audience: settings.audience,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(nowMs),
    });
    if (!isAccessToken(protectedHeader, payload)) return invalid;
    if (protectedHeader.crit !== undefined) return invalid; // We know no extension that a token could insist on.
    if (typeof payload.sub !== 'string' || !subjectPattern.test(payload.sub)) return invalid;
    const found = {
      issuer: settings.issuer,
      subject: payload.sub,
      scopes: scopesIn(payload, settings),
      expiresAtMs: Number(payload.exp) * 1000,
    };
    keys.verified.set(digest, found);
    return { ok: true, token: found };
  } catch (error) {
    return error instanceof errors.JWKSNoMatchingKey ? 'key unknown' : invalid;
  }
}
