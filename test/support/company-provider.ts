import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

/** What the company knows about somebody. */
export type Account = Readonly<Record<string, unknown>>;

/** What the package offers, as far as it is used here. It has no types. */
interface CompanyOp {
  callback(): RequestListener;
  use(middleware: (context: TokenContext, next: () => Promise<void>) => Promise<void>): void;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  Grant: {
    new (facts: object): { addOIDCScope(scope: string): void; save(): Promise<string> };
    find(id: string): Promise<object | undefined>;
  };
}

interface TokenContext {
  readonly path: string;
  body: { id_token?: string } | undefined;
}

const client = { id: 'rollcall', secret: 'the secret of Rollcall' };
const page = (form: string) =>
  `<!doctype html><html lang="en"><title>Company</title><h1>Company</h1>${form}</html>`;

/** The OpenID provider of a company: a real one, on its own port, that asks on a page who signs in. */
export class CompanyProvider {
  readonly url: string;
  readonly clientId = client.id;
  readonly accounts = new Map<string, Account>();
  /** Who signs in without being asked; undefined shows the page. */
  signsIn: string | undefined;
  /** Changes the claims of ID tokens, and signs them again. */
  tamper: ((claims: Record<string, unknown>) => Record<string, unknown>) | undefined;
  /** Instead of its own key. */
  signsWith: CryptoKey | undefined;
  /** Requests get no answer. */
  hangs = false;
  /** The status of every reply, if it isn't the usual one. */
  outage: number | undefined;
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #key: JWK;
  #op: CompanyOp | undefined;
  #handle: RequestListener = (_, response) => response.writeHead(503).end();

  private constructor(server: Server, key: JWK, host: string) {
    this.#server = server;
    this.#key = key;
    this.url = `http://${host}:${(server.address() as AddressInfo).port}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.requests.push(`${request.method} ${request.url?.split('?')[0]}`);
      if (this.hangs) return;
      if (this.outage !== undefined) response.writeHead(this.outage).end();
      else if (request.url?.startsWith('/interaction/')) void this.#interact(request, response);
      else this.#handle(request, response);
    });
  }

  /** `localhost` is another site than the one of the service, as in companies. */
  static async start(host: 'localhost' | '127.0.0.1' = '127.0.0.1'): Promise<CompanyProvider> {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: 'one', alg: 'ES256', use: 'sig' };
    const server = createServer();
    server.listen(0, host);
    await once(server, 'listening');
    return new CompanyProvider(server, key, host);
  }

  /** The settings of a service that signs in here, which come before its address is known. */
  get environment(): Record<string, string> {
    return {
      ROLLCALL_SSO_ISSUER: this.url,
      ROLLCALL_SSO_CLIENT_ID: client.id,
      ROLLCALL_SSO_CLIENT_SECRET: client.secret,
      ROLLCALL_SSO_USER_CLAIM: 'employee_number',
      ROLLCALL_SSO_SCOPES: 'openid profile email groups',
      ROLLCALL_SSO_NAME: 'Example Corp',
    };
  }

  /** Knows the service from now on: its address as its users see it, and as the provider reaches it. */
  serve({ publicUrl, url }: { readonly publicUrl: string; readonly url: string }): void {
    const configuration = {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: [`${publicUrl}/service/auth/sso/callback`],
          post_logout_redirect_uris: [`${publicUrl}/`],
          id_token_signed_response_alg: 'ES256',
          backchannel_logout_uri: `${url}/service/auth/sso/backchannel-logout`,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [this.#key] },
      cookies: { keys: ['a secret of tests'] },
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context: { body: string }, form: string) => {
            const button = '<button form="op.logoutForm" name="logout" value="yes">Sign out</button>';
            context.body = page(`${form}${button}`);
          },
        },
      },
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['employee_number', 'preferred_username', 'name'],
        groups: ['groups'],
      },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, ...this.accounts.get(id) }),
      }),
      loadExistingGrant: (context: GrantContext) => this.#grantFor(context),
      // Of the host's, so that tests of other services find nothing here.
      clientBasedCORS: () => false,
    };
    const op = new (Provider as unknown as new (url: string, settings: object) => CompanyOp)(
      this.url,
      configuration,
    );
    op.use(async (context, next) => {
      await next();
      const { tamper } = this;
      if (context.path !== '/token' || !tamper || !context.body?.id_token) return;
      const claims = tamper(decodeJwt(context.body.id_token) as Record<string, unknown>);
      context.body = { ...context.body, id_token: await this.sign(claims) };
    });
    this.#op = op;
    this.#handle = op.callback();
  }

  /** Signed with the key of the provider. */
  async sign(claims: Record<string, unknown>, header: Record<string, unknown> = {}): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
      .sign(this.signsWith ?? ((await importJWK(this.#key, 'ES256')) as CryptoKey));
  }

  logoutToken(claims: Record<string, unknown> = {}): Promise<string> {
    const iat = Math.floor(Date.now() / 1000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const jti = randomBytes(8).toString('hex');
    return this.sign(
      { iss: this.url, aud: client.id, iat, exp: iat + 120, jti, events, ...claims },
      { typ: 'logout+jwt' },
    );
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The company has consented for its employees. */
  async #grantFor({ oidc }: GrantContext): Promise<object | undefined> {
    if (!this.#op) return undefined;
    const known = oidc.session.grantIdFor(oidc.client.clientId);
    if (known) return this.#op.Grant.find(known);
    const grant = new this.#op.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope('openid profile email groups');
    await grant.save();
    return grant;
  }

  async #interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = async (result: object) => this.#op?.interactionFinished(request, response, result);
    if (request.method === 'POST') {
      let form = '';
      for await (const chunk of request) form += chunk;
      const fields = new URLSearchParams(form);
      const accountId = fields.get('account') ?? '';
      return answer(fields.has('cancel') ? { error: 'access_denied' } : { login: { accountId } });
    }
    if (this.signsIn !== undefined) return answer({ login: { accountId: this.signsIn } });
    response
      .setHeader('content-type', 'text/html')
      .end(
        page(
          '<form method="post"><label>Account <input name="account" autofocus></label><button>Continue</button><button name="cancel" value="1">Cancel</button></form>',
        ),
      );
  }
}

interface GrantContext {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string; grantIdFor(clientId: string): string | undefined };
  };
}
