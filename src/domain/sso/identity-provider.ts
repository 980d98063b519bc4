import { type JWTPayload, jwtVerify, errors as tokenErrors } from 'jose';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
} from 'openid-client';
import type { ProviderUserField } from '../../contract/enums.js';
import { claimNamed } from '../../contract/issuers.js';
import type { RoleMapping } from '../../contract/provider-claims.js';
import { ExternalKeyRing, externalIssuersDefaults } from '../access/external-keys.js';
import type { Handshake } from './handshake.js';

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  readonly scopes: string;
  readonly userClaim: string;
  readonly userField: ProviderUserField;
  /** Undefined if the stored roles apply. */
  readonly roleClaim: string | undefined;
  readonly roles: RoleMapping;
  readonly name: string | undefined;
}

export interface ProviderOptions {
  /** Read late: a port chosen by the system is known only once the service listens. */
  readonly publicUrl: () => string;
  readonly now: () => number;
  /** Of each request to the provider. */
  readonly timeoutMs: number;
  /** How old the provider's own description may be before it is read again. */
  readonly refreshAfterMs: number;
  /** During an outage, requests in this time after the last attempt don't wait for another one. */
  readonly retryAfterMs: number;
  /** Called with a sentence for the operator, without anything that is secret or about a person. */
  readonly onProblem: (problem: string) => void;
}

export const providerDefaults = {
  now: Date.now,
  timeoutMs: 5_000,
  refreshAfterMs: 600_000,
  retryAfterMs: 10_000,
};

export const callbackPath = '/service/auth/sso/callback';

/** How far the clock of the provider may differ. */
export const clockToleranceSeconds = 60;

export type ProviderProblem = 'unavailable' | 'cancelled' | 'invalid';

export type ProviderAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: ProviderProblem };

/** Whom the provider has signed in. */
export interface ProvenIdentity {
  readonly subject: string;
  /** Of the session at the provider, if it says so. */
  readonly sid: string | null;
  /** When the user signed in there, in seconds; undefined if it doesn't say so. */
  readonly authTime: number | undefined;
  readonly claims: object;
}

/** What the provider says has ended: a session, or all sessions of a subject. */
export interface Logout {
  readonly id: string;
  readonly subject: string | null;
  readonly sid: string | null;
}

/** The company's OpenID provider. It is asked only when somebody signs in, so that its outages concern nobody else. */
export class IdentityProvider {
  readonly settings: ProviderSettings;
  readonly #options: ProviderOptions;
  #known: Configuration | undefined;
  #knownAtMs = Number.NEGATIVE_INFINITY;
  #failedAtMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  #keys: ExternalKeyRing | undefined;

  constructor(settings: ProviderSettings, options: ProviderOptions) {
    this.settings = settings;
    this.#options = options;
  }

  /** Where the browser goes to sign in. A proof needs another sign-in, even if the user has a session there. */
  async authorizationUrl(
    { state, nonce, verifier }: Handshake,
    { isProof }: { readonly isProof: boolean },
  ): Promise<ProviderAnswer<URL>> {
    const provider = await this.#current();
    if (!provider) return { ok: false, problem: 'unavailable' };
    const url = buildAuthorizationUrl(provider, {
      redirect_uri: this.#url(callbackPath),
      scope: this.settings.scopes,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(isProof ? { prompt: 'login', max_age: '0' } : {}),
    });
    return { ok: true, value: url };
  }

  /** Redeems the code that the provider has sent with the browser. */
  async identity(
    query: URLSearchParams,
    { state, nonce, verifier }: Handshake,
  ): Promise<ProviderAnswer<ProvenIdentity>> {
    const provider = await this.#current();
    if (!provider) return { ok: false, problem: 'unavailable' };
    const url = new URL(this.#url(callbackPath));
    url.search = query.toString();
    try {
      const tokens = await authorizationCodeGrant(provider, url, {
        pkceCodeVerifier: verifier,
        expectedNonce: nonce,
        expectedState: state,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) return { ok: false, problem: 'invalid' };
      const more = this.#lacksClaims(claims, provider)
        ? await fetchUserInfo(provider, tokens.access_token, claims.sub)
        : {};
      const { sub: subject, sid, auth_time: authTime } = claims;
      return {
        ok: true,
        value: {
          subject,
          sid: typeof sid === 'string' ? sid : null,
          authTime,
          claims: { ...more, ...claims },
        },
      };
    } catch (error) {
      const problem = problemOf(error);
      if (problem !== 'cancelled') this.#options.onProblem(sentenceOf(error));
      return { ok: false, problem };
    }
  }

  /** Where the browser goes to sign out at the provider, too; null if it can't. */
  async signOutUrl(): Promise<string | null> {
    const provider = await this.#current();
    if (!provider?.serverMetadata().end_session_endpoint) return null;
    return buildEndSessionUrl(provider, { post_logout_redirect_uri: this.#url('/') }).href;
  }

  /** Checks a token of OpenID Connect Back-Channel Logout 1.0. */
  async verifyLogout(token: string): Promise<ProviderAnswer<Logout>> {
    const provider = await this.#current();
    if (!provider) return { ok: false, problem: 'unavailable' };
    const { issuer } = provider.serverMetadata();
    this.#keys ??= new ExternalKeyRing(issuer, {
      ...externalIssuersDefaults,
      now: this.#options.now,
      fetchTimeoutMs: this.#options.timeoutMs,
      onFetchFailed: (_, problem) => this.#options.onProblem(problem),
    });
    const keys = await this.#keys.current();
    if (!keys) return { ok: false, problem: 'unavailable' };
    const verify = ({ find }: typeof keys) =>
      jwtVerify(token, find, {
        issuer,
        audience: this.settings.clientId,
        algorithms: [...logoutAlgorithms],
        requiredClaims: ['iat', 'jti', 'events'],
        maxTokenAge: logoutMaxSeconds,
        clockTolerance: clockToleranceSeconds,
        currentDate: new Date(this.#options.now()),
      });
    try {
      const { payload, protectedHeader } = await verify(keys).catch(async (error: unknown) => {
        const newer =
          error instanceof tokenErrors.JWKSNoMatchingKey ? await this.#keys?.renewed() : undefined;
        if (!newer) throw error;
        return verify(newer);
      });
      const logout = isLogoutType(protectedHeader.typ) ? logoutIn(payload) : undefined;
      return logout ? { ok: true, value: logout } : { ok: false, problem: 'invalid' };
    } catch {
      return { ok: false, problem: 'invalid' };
    }
  }

  #lacksClaims(claims: object, provider: Configuration): boolean {
    if (!provider.serverMetadata().userinfo_endpoint) return false;
    const { userClaim, userField, roleClaim } = this.settings;
    const wanted = [
      userClaim,
      ...(userField === 'email' ? ['email_verified'] : []),
      ...(roleClaim ? [roleClaim] : []),
    ];
    return wanted.some((claim) => claimNamed(claim, claims) === undefined);
  }

  #url(path: string): string {
    return `${this.#options.publicUrl().replace(/\/$/, '')}${path}`;
  }

  /** What the provider says about itself; undefined if it can't be reached. Requests wait only if nothing is known yet. */
  async #current(): Promise<Configuration | undefined> {
    const { now, refreshAfterMs, retryAfterMs } = this.#options;
    const isOld = now() - this.#knownAtMs > refreshAfterMs;
    if (isOld && now() - this.#failedAtMs > retryAfterMs) {
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = undefined;
      });
    }
    if (this.#known === undefined) await this.#asking;
    return this.#known;
  }

  /** Never rejects: a failure shows in the stored state. */
  async #ask(): Promise<void> {
    const { issuer, clientId, clientSecret } = this.settings;
    const { now, timeoutMs, onProblem } = this.#options;
    try {
      this.#known = await discovery(
        new URL(issuer),
        clientId,
        { [clockTolerance]: clockToleranceSeconds },
        clientSecret === undefined ? None() : secretAuthentication(clientSecret),
        {
          timeout: timeoutMs / 1_000,
          execute: [
            enableNonRepudiationChecks,
            ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
          ],
        },
      );
      this.#knownAtMs = now();
    } catch (error) {
      this.#failedAtMs = now();
      onProblem(sentenceOf(error));
    }
  }
}

/** As the provider prefers it. The first is the default of OpenID Connect. */
function secretAuthentication(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic') ? basic : post;
    return authenticate(server, client, body, headers);
  };
}

/** Errors that a provider sends with the browser when it is not able to sign anybody in. */
const outageErrors = ['server_error', 'temporarily_unavailable'];

function problemOf(error: unknown): ProviderProblem {
  if (error instanceof AuthorizationResponseError) {
    return outageErrors.includes(error.error) ? 'unavailable' : 'cancelled';
  }
  if (error instanceof ResponseBodyError) return error.status >= 500 ? 'unavailable' : 'invalid';
  const { code, name, cause } = error as Error & { code?: string; cause?: { status?: number } };
  const isNetwork =
    name === 'TimeoutError' || (error instanceof TypeError && error.message === 'fetch failed');
  if (isNetwork || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return 'unavailable';
  return (cause?.status ?? 0) >= 500 ? 'unavailable' : 'invalid';
}

function sentenceOf(error: unknown): string {
  if (error instanceof ResponseBodyError) return `it answers ${error.status} with ${codeIn(error.error)}.`;
  const { code, name, cause } = error as Error & { code?: string; cause?: { code?: string } };
  return `it cannot be used (${codeIn(cause?.code ?? code ?? name)}).`;
}

function codeIn(text: string): string {
  return /^[A-Za-z_]{1,64}$/.test(text) ? text : 'an unknown error';
}

/** None with a shared secret: it is for clients, not for providers. */
const logoutAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
];
const logoutMaxSeconds = 600;
/** As long as the same token could be accepted again. */
export const logoutRememberedSeconds = logoutMaxSeconds + 2 * clockToleranceSeconds;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

function isLogoutType(type: string | undefined): boolean {
  return [undefined, 'jwt', 'logout+jwt', 'application/logout+jwt'].includes(type?.toLowerCase());
}

/** A token with a nonce is an ID token. */
function logoutIn({ jti, sub, sid, events, nonce }: JWTPayload): Logout | undefined {
  const event = (events as Record<string, unknown> | null | undefined)?.[logoutEvent];
  if (nonce !== undefined || typeof event !== 'object' || event === null || !jti) return undefined;
  const subject = typeof sub === 'string' ? sub : null;
  const session = typeof sid === 'string' ? sid : null;
  return subject === null && session === null ? undefined : { id: jti, subject, sid: session };
}
