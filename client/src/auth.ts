import type { Schemas } from './operations.js';

/** Gives the token to send, or none. After a token was refused it is asked for another. */
export type TokenSource = (refused?: string) => Promise<string | undefined>;

/** How a client proves who it is; each client that is made has a source of its own. */
export type Auth = (issueToken: IssueToken) => TokenSource;

type IssueToken = (form: Schemas['TokenRequest']) => Promise<Schemas['Token']>;

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Some of the client's scopes, with spaces in between; all without it. */
  readonly scope?: string | undefined;
}

/** A token is renewed this long before it ends, or a tenth of its life if that is less. */
const renewAheadMs = 60_000;

/** For machines: OAuth 2.0 client credentials. Calls that need a new token at the same time share one request. */
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

/** For the session of a person, or a token of an outside issuer. A function is asked before every request. */
export function bearer(token: Token | (() => Token | Promise<Token>)): Auth {
  return () => async () => (typeof token === 'function' ? token() : token);
}
