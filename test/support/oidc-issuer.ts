import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import { rsaKey, rsaKeysMax } from './rsa-keys.js';

type Algorithm = 'RS256' | 'ES256';

export interface TokenRequest {
  readonly audience?: string;
  readonly scope?: string;
  readonly algorithm?: Algorithm;
  readonly lifetimeSeconds?: number;
  /** Claims in addition to those the issuer sets. */
  readonly claims?: Record<string, unknown>;
}

interface SigningKey {
  readonly kid: string;
  readonly privateJwk: JWK;
}

type SigningKeys = Readonly<Record<Algorithm, SigningKey>>;

const client = { id: 'hr-sync', secret: 'the secret of hr-sync' };

/** A real OpenID Connect provider on its own port, like a company's identity provider. */
export class OidcIssuer {
  /** The `iss` claim of its tokens. */
  readonly url: string;
  /** The subject of the tokens it issues. */
  readonly subject = client.id;
  /** How often its discovery document and its keys were requested. */
  readonly asked = { discovery: 0, keys: 0 };
  readonly #server: Server;
  #keys: SigningKeys;
  #handle: RequestListener;

  private constructor(server: Server, keys: SigningKeys) {
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    this.#server = server;
    this.#keys = keys;
    this.#handle = this.#serving([]);
    server.on('request', (request, response) => {
      if (request.url === '/.well-known/openid-configuration') this.asked.discovery++;
      if (request.url === '/jwks') this.asked.keys++;
      this.#handle(request, response);
    });
  }

  static async start(): Promise<OidcIssuer> {
    const server = createServer();
    await listening(server, 0);
    return new OidcIssuer(server, await newKeys());
  }

  /** A token as issued to its client. */
  async token(request: TokenRequest = {}): Promise<string> {
    const response = await fetch(`${this.url}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client.id,
        client_secret: client.secret,
        resource: resourceOf(request),
        ...(request.scope === undefined ? {} : { scope: request.scope }),
      }),
    });
    const reply = (await response.json()) as { access_token?: string };
    if (!reply.access_token) throw new Error(`no token: ${JSON.stringify(reply)}`);
    return reply.access_token;
  }

  /** A token with the issuer's signature that it wouldn't issue itself. Undefined claims are omitted. */
  async sign(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}): Promise<string> {
    const alg = String(header.alg ?? 'RS256');
    const { kid, privateJwk } = this.#keys[alg === 'ES256' ? 'ES256' : 'RS256'];
    const nowSeconds = Math.floor(Date.now() / 1000);
    const complete = { iss: this.url, aud: 'rollcall', sub: client.id, exp: nowSeconds + 60, ...claims };
    return new SignJWT(complete)
      .setProtectedHeader({ alg, kid, ...header })
      .sign((await importJWK({ ...privateJwk, alg }, alg)) as CryptoKey);
  }

  kid(algorithm: Algorithm = 'RS256'): string {
    return this.#keys[algorithm].kid;
  }

  publicJwk(algorithm: Algorithm = 'RS256'): JWK {
    const { kty, n, e, crv, x, y } = this.#keys[algorithm].privateJwk;
    return JSON.parse(JSON.stringify({ kty, n, e, crv, x, y }));
  }

  /** Signs with new keys from now on. The old ones are withdrawn or stay published. */
  async rotateKeys(old: 'withdraw old' | 'keep old'): Promise<void> {
    const retired = old === 'keep old' ? Object.values(this.#keys) : [];
    this.#keys = await newKeys();
    this.#handle = this.#serving(retired);
  }

  /** Stops responding until it resumes. */
  async halt(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async resume(): Promise<void> {
    await listening(this.#server, Number(new URL(this.url).port));
  }

  /** The provider can't swap its keys while running, so each set of keys has its own provider. */
  #serving(retired: readonly SigningKey[]): RequestListener {
    const keys = this.#keys;
    const provider = new Provider(this.url, {
      adapter: NothingStored,
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          token_endpoint_auth_method: 'client_secret_post',
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
        },
      ],
      jwks: {
        keys: [...Object.values(keys), ...retired].map(({ kid, privateJwk }) => ({ ...privateJwk, kid })),
      },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_, resource) => {
            const { audience, scope = '', algorithm = 'RS256', lifetimeSeconds } = requestOf(resource);
            return {
              audience: audience ?? 'rollcall',
              scope,
              accessTokenFormat: 'jwt',
              accessTokenTTL: lifetimeSeconds ?? 600,
              jwt: { sign: { alg: algorithm, kid: keys[algorithm].kid } },
            };
          },
        },
      },
      extraTokenClaims: (_, token) => requestOf(token.resourceServer.identifier()).claims ?? {},
      ttl: { ClientCredentials: (_, token) => token.resourceServer.accessTokenTTL },
    });
    return provider.callback();
  }
}

/** Signed tokens contain all there is to know. Without an adapter the provider warns about its memory store. */
class NothingStored {
  async find(): Promise<undefined> {}
  async upsert(): Promise<void> {}
}

/**
 * The request is passed in the resource indicator, which the provider hands to the functions that configure the token.
 */
function resourceOf(request: TokenRequest): string {
  return `urn:test:${Buffer.from(JSON.stringify(request)).toString('base64url')}`;
}

function requestOf(resource: string): TokenRequest {
  return JSON.parse(Buffer.from(resource.replace('urn:test:', ''), 'base64url').toString());
}

let keysMade = 0;

/** RSA keys are reused: there are more than the issuers of any test need at a time. */
async function newKeys(): Promise<SigningKeys> {
  const ecKey = await generateKeyPair('ES256', { extractable: true });
  const number = keysMade++;
  const signing = (alg: Algorithm, privateJwk: JWK) => ({
    kid: `${alg}-${number}`,
    privateJwk: { ...privateJwk, alg, use: 'sig' },
  });
  return {
    RS256: signing('RS256', rsaKey(number % rsaKeysMax)),
    ES256: signing('ES256', await exportJWK(ecKey.privateKey)),
  };
}

async function listening(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
