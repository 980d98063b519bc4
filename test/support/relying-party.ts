import { createHash, randomBytes } from 'node:crypto';
import { newId, type Reply, type TestService } from './service.js';
import type { SignedInUser } from './signed-in-users.js';

/** Settings of a service that is an OpenID provider. Its own address is its issuer. */
export const providerSettings = { ROLLCALL_OPENID_PROVIDER: 'on', ROLLCALL_PUBLIC_URL: '' };

export interface GivenApplication {
  readonly id: string;
  readonly name: string;
  readonly secret: string | null;
  readonly redirectUri: string;
}

/** An application that is registered with the service. */
export async function givenApplication(
  service: TestService,
  settings: Record<string, unknown> = {},
): Promise<GivenApplication> {
  const redirectUri = 'https://wiki.example.com/callback';
  const reply = await service.post('/service/applications', {
    name: newId('App'),
    redirectUris: [redirectUri],
    postLogoutUris: ['https://wiki.example.com/'],
    scopes: ['openid', 'profile', 'email', 'phone', 'employee', 'offline_access'],
    ...settings,
  });
  if (reply.status !== 201) throw new Error(`the application was not created: ${reply.text}`);
  const { id, name, secret } = reply.json.data;
  return { id, name, secret, redirectUri };
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The parameters with which an application sends a user. Undefined leaves one out. */
export function authorizationUrl(
  service: TestService,
  application: GivenApplication,
  { challenge }: Pkce,
  overrides: Record<string, string | undefined> = {},
): string {
  const url = new URL('/oidc/auth', service.url);
  const parameters: Record<string, string | undefined> = {
    client_id: application.id,
    redirect_uri: application.redirectUri,
    response_type: 'code',
    scope: 'openid profile',
    state: 'the state',
    nonce: 'the nonce',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...overrides,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly isStrict: boolean;
}

export interface Visited {
  readonly url: URL;
  /** Undefined if the browser was sent to another site. */
  readonly reply: Reply | undefined;
}

/** Follows redirects as a browser does: strict cookies are not sent while another site leads it. */
export class CookieBrowser {
  readonly #service: TestService;
  #cookies: Cookie[] = [];

  constructor(service: TestService) {
    this.#service = service;
  }

  /** As if the user had signed in on the console. */
  signIn({ token }: Pick<SignedInUser, 'token'>): this {
    const name = `rollcall-local${new URL(this.#service.url).port}`;
    this.#store({ name, value: token, path: '/', isStrict: true });
    return this;
  }

  /** As if a page on a domain next to the service's had set them. */
  take(cookies: readonly Cookie[]): this {
    for (const cookie of cookies) this.#store(cookie);
    return this;
  }

  get cookies(): readonly Cookie[] {
    return this.#cookies;
  }

  /** Follows a link of another site, or of the console. Ends on a page, or at another site. */
  async follow(
    start: string,
    {
      isOwn = false,
      ...options
    }: { readonly isOwn?: boolean; readonly method?: string; readonly body?: string } = {},
  ): Promise<Visited> {
    let url = new URL(start);
    let isCrossSite = !isOwn;
    let request: { readonly method?: string; readonly body?: string } = options;
    for (let hops = 0; hops < 20; hops++) {
      const reply = await this.request(url, isCrossSite, request);
      request = {};
      const location = reply.headers.get('location');
      const refresh = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(reply.text)?.[1];
      if (refresh !== undefined) isCrossSite = false;
      const next = location ?? refresh;
      if (next === undefined) return { url, reply };
      url = new URL(next, url);
      if (url.origin !== new URL(this.#service.url).origin) return { url, reply: undefined };
    }
    throw new Error(`the redirects do not end: ${url.href}`);
  }

  async request(
    url: URL,
    isCrossSite = false,
    { method = 'GET', body }: { readonly method?: string; readonly body?: string } = {},
  ): Promise<Reply> {
    const sent = this.#cookies.filter(
      ({ path, isStrict }) => inPath(url.pathname, path) && !(isStrict && isCrossSite),
    );
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        ...(sent.length > 0 ? { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    for (const header of response.headers.getSetCookie()) this.#store(cookieIn(header, url));
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: undefined };
  }

  #store(cookie: Cookie): void {
    this.#cookies = this.#cookies.filter(({ name, path }) => name !== cookie.name || path !== cookie.path);
    if (cookie.value !== '') this.#cookies.push(cookie);
  }
}

function inPath(pathname: string, path: string): boolean {
  return path === '/' || pathname === path || pathname.startsWith(`${path}/`);
}

function cookieIn(header: string, url: URL): Cookie {
  const [pair = '', ...attributes] = header.split(/; */);
  const at = pair.indexOf('=');
  const path = attributes.map((each) => /^path=(.*)$/i.exec(each)?.[1]).find(Boolean) ?? url.pathname;
  const isStrict = attributes.some((each) => /^samesite=strict$/i.test(each));
  return { name: pair.slice(0, at), value: pair.slice(at + 1), path, isStrict };
}

export interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token?: string;
  readonly expires_in: number;
  readonly scope: string;
}

/** Sends a form as the application, with its secret. */
export async function asApplication(
  service: TestService,
  { id, secret }: Pick<GivenApplication, 'id' | 'secret'>,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<Reply> {
  const credentials = secret === null ? undefined : Buffer.from(`${id}:${secret}`).toString('base64');
  return postForm(service, path, secret === null ? { client_id: id, ...form } : form, {
    ...(credentials === undefined ? {} : { authorization: `Basic ${credentials}` }),
  });
}

export async function postForm(
  service: TestService,
  path: string,
  form: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return service.request('POST', path, {
    token: null,
    rawBody: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

/** The code with which the browser comes back to the application. */
export async function givenCode(
  service: TestService,
  application: GivenApplication,
  user: Pick<SignedInUser, 'token'>,
  { pkce = newPkce(), ...overrides }: { pkce?: Pkce } & Record<string, unknown> = {},
): Promise<{ readonly code: string; readonly verifier: string; readonly browser: CookieBrowser }> {
  const browser = new CookieBrowser(service).signIn(user);
  const url = authorizationUrl(service, application, pkce, overrides as Record<string, string>);
  const { url: back, reply } = await browser.follow(url);
  const code = back.searchParams.get('code');
  if (code === null) throw new Error(`no code: ${back.href} ${reply?.text ?? ''}`);
  return { code, verifier: pkce.verifier, browser };
}

export function redeem(
  service: TestService,
  application: GivenApplication,
  { code, verifier }: { readonly code: string; readonly verifier: string },
  overrides: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return asApplication(service, application, '/oidc/token', {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: application.redirectUri,
    ...overrides,
  });
}

/** With offline_access, so that there is a refresh token. */
export const offline = { scope: 'openid profile email offline_access', prompt: 'consent' };

export async function givenTokens(
  service: TestService,
  application: GivenApplication,
  user: Pick<SignedInUser, 'token'>,
  overrides: Record<string, unknown> = {},
): Promise<Tokens & { readonly browser: CookieBrowser }> {
  const given = await givenCode(service, application, user, overrides);
  const reply = await redeem(service, application, given);
  if (reply.status !== 200) throw new Error(`no tokens: ${reply.text}`);
  return { ...reply.json, browser: given.browser };
}

export function refresh(
  service: TestService,
  application: GivenApplication,
  token: string | undefined,
): Promise<Reply> {
  return asApplication(service, application, '/oidc/token', {
    grant_type: 'refresh_token',
    refresh_token: token ?? '',
  });
}

export function userinfo(service: TestService, token: string): Promise<Reply> {
  return service.get('/oidc/me', { token });
}
