/** The package has no types. These are the few that the test issuer needs. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';
  import type { JWK } from 'jose';

  interface ResourceServer {
    readonly audience: string;
    readonly scope: string;
    readonly accessTokenFormat: 'jwt';
    readonly accessTokenTTL: number;
    readonly jwt: { readonly sign: { readonly alg: string; readonly kid: string } };
  }

  interface Adapter {
    find(id: string): Promise<object | undefined>;
    upsert(id: string, payload: object, expiresIn: number): Promise<void>;
  }

  interface Configuration {
    readonly adapter: new () => Adapter;
    readonly clients: readonly {
      readonly client_id: string;
      readonly client_secret: string;
      readonly token_endpoint_auth_method: string;
      readonly grant_types: readonly string[];
      readonly redirect_uris: readonly string[];
      readonly response_types: readonly string[];
    }[];
    readonly jwks: { readonly keys: readonly JWK[] };
    readonly features: {
      readonly devInteractions: { readonly enabled: boolean };
      readonly clientCredentials: { readonly enabled: boolean };
      readonly resourceIndicators: {
        readonly enabled: boolean;
        readonly getResourceServerInfo: (context: unknown, resource: string) => ResourceServer;
      };
    };
    readonly extraTokenClaims: (
      context: unknown,
      token: { readonly resourceServer: { identifier(): string } },
    ) => Record<string, unknown>;
    readonly ttl: {
      readonly ClientCredentials: (
        context: unknown,
        token: { readonly resourceServer: ResourceServer },
      ) => number;
    };
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): RequestListener;
  }
}
