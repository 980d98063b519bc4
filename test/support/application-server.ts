import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as client from 'openid-client';
import type { TestService } from './service.js';

/** An application of the company, as its developers would write it with openid-client. */
export class ApplicationServer {
  readonly url: string;
  readonly #server: Server;
  #configuration: client.Configuration | undefined;
  #pending: { readonly verifier: string; readonly state: string; readonly nonce: string } | undefined;
  /** Sent with the next request for a sign-in. */
  parameters: Record<string, string> = {};
  tokens: Awaited<ReturnType<typeof client.authorizationCodeGrant>> | undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        response.statusCode = 400;
        response.setHeader('content-type', 'text/html');
        response.end(`<h1>Not signed in: ${String((error as { error?: string }).error ?? error)}</h1>`);
      });
    });
  }

  static async start(): Promise<ApplicationServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ApplicationServer(server);
  }

  get redirectUri(): string {
    return `${this.url}/callback`;
  }

  /** Reads the metadata of the provider, as at the start of an application. */
  async discover(service: TestService, id: string, secret: string | null): Promise<client.Configuration> {
    const authentication = secret === null ? client.None() : client.ClientSecretBasic(secret);
    this.#configuration = await client.discovery(
      new URL(`${service.url}/oidc`),
      id,
      undefined,
      authentication,
      { execute: [client.allowInsecureRequests] },
    );
    return this.#configuration;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get #known(): client.Configuration {
    if (!this.#configuration) throw new Error('the application does not know its provider yet');
    return this.#configuration;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    if (url.pathname === '/callback') return this.#welcome(url, response);
    if (url.pathname === '/signed-out') return page(response, 'Signed out of the application');
    if (url.pathname === '/sign-out') return redirect(response, this.#signOutUrl());
    if (url.pathname !== '/') {
      response.statusCode = 404;
      response.end();
      return;
    }
    redirect(response, await this.authorizationUrl());
  }

  async authorizationUrl(): Promise<URL> {
    const verifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    this.#pending = { verifier, state, nonce };
    return client.buildAuthorizationUrl(this.#known, {
      redirect_uri: this.redirectUri,
      scope: 'openid profile email',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...this.parameters,
    });
  }

  /** Redeems the code with which a browser has come back. */
  async redeem(url: URL): Promise<client.UserInfoResponse> {
    const { verifier = '', state = '', nonce = '' } = this.#pending ?? {};
    this.tokens = await client.authorizationCodeGrant(this.#known, url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      ...(this.parameters.max_age === undefined ? {} : { maxAge: Number(this.parameters.max_age) }),
    });
    const subject = this.tokens.claims()?.sub ?? '';
    return client.fetchUserInfo(this.#known, this.tokens.access_token, subject);
  }

  async #welcome(url: URL, response: ServerResponse): Promise<void> {
    const { name } = await this.redeem(url);
    page(response, `Welcome to the wiki, ${name}`);
  }

  #signOutUrl(): URL {
    return client.buildEndSessionUrl(this.#known, {
      post_logout_redirect_uri: `${this.url}/signed-out`,
      id_token_hint: this.tokens?.id_token ?? '',
    });
  }
}

function page(response: ServerResponse, text: string): void {
  response.setHeader('content-type', 'text/html');
  response.end(
    `<!doctype html><html lang="en"><title>Wiki</title><link rel="icon" href="data:,"><h1>${text}</h1>`,
  );
}

function redirect(response: ServerResponse, url: URL): void {
  response.writeHead(303, { location: url.href }).end();
}
