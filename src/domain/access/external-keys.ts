import { createLocalJWKSet, type JWK, type LocalJWKSet } from 'jose';
import { isSafeUrl } from '../../contract/issuers.js';
import type { Scope } from '../../contract/scopes.js';
import { BoundedMap } from '../bounded-map.js';

/** A valid token of an external issuer. Without scopes it allows nothing, but is still valid. */
export interface ExternalToken {
  readonly issuer: string;
  readonly subject: string;
  readonly scopes: readonly Scope[];
  readonly expiresAtMs: number;
}

export interface ExternalIssuersOptions {
  readonly now: () => number;
  /** Older keys are fetched again, so that withdrawn ones are noticed. */
  readonly refreshAfterMs: number;
  /** The minimum time between two fetches, so that forged tokens cannot make us flood an issuer with requests. */
  readonly fetchIntervalMinMs: number;
  /** How long keys remain usable while the issuer is unreachable. */
  readonly keepMs: number;
  /** Covers all requests of one fetch. */
  readonly fetchTimeoutMs: number;
  /** Called for every failed fetch, with a sentence for the operator. */
  readonly onFetchFailed: (issuer: string, problem: string) => void;
}

export const externalIssuersDefaults: ExternalIssuersOptions = {
  now: Date.now,
  refreshAfterMs: 5 * 60_000,
  fetchIntervalMinMs: 10_000,
  keepMs: 24 * 3_600_000,
  fetchTimeoutMs: 5_000,
  onFetchFailed: () => {},
};

const cachedMax = 10_000;
const documentMaxBytes = 512 * 1024;

export interface ExternalKeys {
  /** The response body, to detect changes. */
  readonly text: string;
  readonly find: LocalJWKSet;
  /** Keyed by the digest of the token. Dropped when the keys change, so no entry outlives its key. */
  readonly verified: BoundedMap<ExternalToken>;
}

/** The keys of one issuer, cached in memory and refreshed while in use. */
export class ExternalKeyRing {
  readonly #issuer: string;
  readonly #options: ExternalIssuersOptions;
  #keys: ExternalKeys | undefined;
  #fetchedAtMs = Number.NEGATIVE_INFINITY;
  #triedAtMs = Number.NEGATIVE_INFINITY;
  #isAway = false;
  #fetching: Promise<void> | undefined;

  constructor(issuer: string, options: ExternalIssuersOptions) {
    this.#issuer = issuer;
    this.#options = options;
  }

  /**
   * The keys to verify a token with; none if there never were any or they are too old. Requests do not wait for a
   * refresh unless the keys were unused for so long that a withdrawn one may be among them. During an outage none
   * waits.
   */
  async current(): Promise<ExternalKeys | undefined> {
    const { refreshAfterMs } = this.#options;
    if (this.#ageMs() > refreshAfterMs) {
      const fetched = this.#fetch();
      const canWait = this.#ageMs() > 2 * refreshAfterMs && !this.#isAway;
      if (canWait || this.#kept() === undefined) await fetched;
    }
    return this.#kept();
  }

  /** Fetches the keys again unless the last fetch is too recent; none if the issuer is unreachable. */
  async renewed(): Promise<ExternalKeys | undefined> {
    await this.#fetch();
    return this.#isAway ? undefined : this.#kept();
  }

  #ageMs(): number {
    return this.#options.now() - this.#fetchedAtMs;
  }

  #kept(): ExternalKeys | undefined {
    return this.#ageMs() <= this.#options.keepMs ? this.#keys : undefined;
  }

  /** Concurrent requests share one fetch. Never rejects: a failure shows in the stored state. */
  #fetch(): Promise<void> {
    const isPause = this.#options.now() - this.#triedAtMs < this.#options.fetchIntervalMinMs;
    if (this.#fetching === undefined && isPause) return Promise.resolve();
    this.#fetching ??= this.#fetchNow().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetchNow(): Promise<void> {
    const fetched = await fetchKeys(this.#issuer, this.#options.fetchTimeoutMs);
    this.#triedAtMs = this.#options.now();
    this.#isAway = !fetched.ok;
    if (fetched.ok) {
      this.#fetchedAtMs = this.#triedAtMs;
      if (fetched.keys.text !== this.#keys?.text) this.#keys = fetched.keys;
    } else {
      this.#options.onFetchFailed(this.#issuer, fetched.problem);
    }
  }
}

type KeysFetched =
  | { readonly ok: true; readonly keys: ExternalKeys }
  | { readonly ok: false; readonly problem: string };

async function fetchKeys(issuer: string, timeoutMs: number): Promise<KeysFetched> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const text = await fetchText(await findKeysUrl(issuer, signal), signal);
    if (text === undefined) throw new IssuerError('its jwks_uri returned no content.');
    return { ok: true, keys: { text, find: keySetIn(text), verified: new BoundedMap(cachedMax) } };
  } catch (error) {
    return { ok: false, problem: problemOf(error) };
  }
}

/** The issuer does not answer, or not as expected. The message is the sentence for the operator. */
class IssuerError extends Error {}

function problemOf(error: unknown): string {
  if (error instanceof IssuerError) return error.message;
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return `it cannot be reached (${cause?.code ?? name}).`;
}

/** Uses OpenID Connect Discovery, or RFC 8414 if that finds nothing. */
async function findKeysUrl(issuer: string, signal: AbortSignal): Promise<URL> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const text =
    (await fetchText(new URL(`${origin}${path}/.well-known/openid-configuration`), signal)) ??
    (await fetchText(new URL(`${origin}/.well-known/oauth-authorization-server${path}`), signal));
  if (text === undefined) throw new IssuerError('it has no discovery document.');
  const document = objectIn(text);
  if (document.issuer !== issuer) throw new IssuerError('its discovery document names another issuer.');
  const { jwks_uri: url } = document;
  if (typeof url !== 'string' || !URL.canParse(url) || !isKeysUrl(new URL(url), issuer)) {
    throw new IssuerError('its discovery document has no jwks_uri that begins with https://.');
  }
  return new URL(url);
}

function isKeysUrl(url: URL, issuer: string): boolean {
  return url.protocol === 'https:' || (issuer.startsWith('http:') && isSafeUrl(url));
}

/** Secret and private keys do not belong in a published set; with a secret key, anyone could sign. */
function keySetIn(text: string): LocalJWKSet {
  const { keys } = objectIn(text);
  if (!Array.isArray(keys)) throw new IssuerError('what is at its jwks_uri is not a key set.');
  return createLocalJWKSet({ keys: keys.filter(isPublicKey) });
}

function isPublicKey(jwk: Partial<JWK> | null | undefined): jwk is JWK {
  return ['RSA', 'EC', 'OKP'].includes(String(jwk?.kty)) && jwk?.d === undefined;
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new IssuerError('it answers with something that is not JSON.');
  }
}

/** The text at the URL; undefined if there is none. Redirects are rejected because they could lead anywhere. */
async function fetchText(url: URL, signal: AbortSignal): Promise<string | undefined> {
  const response = await fetch(url, {
    headers: { accept: 'application/json, application/jwk-set+json' },
    redirect: 'manual',
    signal,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw new IssuerError(`it answers with status ${response.status} instead of 200.`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > documentMaxBytes)
      throw new IssuerError(`it answers with more than ${documentMaxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
