import type { Schemas } from './operations.js';

/** Returns the token to send, if any. Called again after a token is rejected. */
export type TokenSource = (refused?: string) => Promise<string | undefined>;

/** How a client authenticates. Each client has its own source of tokens. */
export type Auth = (issueToken: IssueToken) => TokenSource;

type IssueToken = (form: Schemas['TokenRequest']) => Promise<Schemas['Token']>;

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Space-separated subset of the client's scopes. Default: all. */
  readonly scope?: string | undefined;
}

/** A token is renewed this long before it expires, or after nine tenths of its lifetime if that is later. */
const renewAheadMs = 60_000;

/** OAuth 2.0 client credentials. Concurrent calls that need a new token share one request. */
export function clientCredentials({ clientId, clientSecret, scope }: ClientCredentials): Auth {
  return (issueToken) => {
    let current: { readonly token: string; readonly renewAtMs: number } | undefined;
    let renewal: Promise<string> | undefined;

    const renew = async (): Promise<string> => {
      const askedAtMs = Date.now();
      const { access_token: token, expires_in: seconds } = await issueToken({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        ...(scope === undefined ? {} : { scope }),
      });
      const lifeMs = seconds * 1_000;
      current = { token, renewAtMs: askedAtMs + lifeMs - Math.min(renewAheadMs, lifeMs / 10) };
      return token;
    };

    return async (refused) => {
      if (current && current.token !== refused && Date.now() < current.renewAtMs) return current.token;
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
      return renewal;
    };
  };
}

type Token = string | undefined;

/** A user's session, or a token from an external issuer. A function is called before every request. */
export function bearer(token: Token | (() => Token | Promise<Token>)): Auth {
  return () => async () => (typeof token === 'function' ? token() : token);
}
