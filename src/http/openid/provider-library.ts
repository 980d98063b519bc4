import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** The parts of oidc-provider that we use. The package has no types. */
export interface ProviderLibrary {
  readonly Provider: new (issuer: string, configuration: object) => OpenIdProvider;
  readonly errors: { readonly InvalidGrant: new (description: string) => Error };
  readonly interactionPolicy: {
    base(): PolicyPrompts;
    readonly Check: new (
      reason: string,
      description: string,
      error: string,
      check: (context: ProviderContext) => boolean,
    ) => object;
  };
}

interface PolicyPrompts {
  get(name: 'login' | 'consent'): { readonly checks: { clear(): void; add(check: object): void } };
}

export interface OpenIdProvider {
  proxy: boolean;
  readonly issuer: string;
  readonly Client: { readonly prototype: object };
  readonly Grant: (new (given: {
    accountId: string;
    client: ProviderClient;
  }) => ProviderGrant) &
    StateModel & {
      find(id: string): Promise<ProviderGrant | undefined>;
    };
  readonly Session: StateModel;
  readonly Interaction: { find(uid: string): Promise<ProviderInteraction | undefined> };
  callback(): RequestListener;
  use(middleware: (context: ProviderContext, next: () => Promise<void>) => Promise<void>): void;
  on(event: string, listener: (...given: never[]) => void): void;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<ProviderInteraction>;
  /** Returns where the browser continues. */
  interactionResult(request: IncomingMessage, response: ServerResponse, result: object): Promise<string>;
}

interface StateModel {
  readonly IN_PAYLOAD: readonly string[];
}

export interface ProviderClient {
  readonly clientId: string;
  readonly clientName: string;
  readonly clientAuthMethod: string;
  readonly scope: string;
  readonly redirectUris: readonly string[];
  readonly access_token_seconds: number;
  readonly refresh_token_seconds: number;
  readonly secret_hashes: readonly string[];
}

export interface ProviderGrant {
  readonly jti: string | undefined;
  rollcallSession?: string | undefined;
  getOIDCScope(): string;
  addOIDCScope(scope: string): void;
  save(): Promise<string>;
}

export interface ProviderInteraction {
  readonly uid: string;
  readonly iat: number;
  readonly exp: number;
  readonly prompt: { readonly name: string; readonly reasons: readonly string[] };
  readonly params: Readonly<Record<string, string | undefined>>;
  /** What was decided, by whichever browser. */
  readonly result?: { readonly rollcallSession?: string };
  session?: { readonly accountId: string; readonly uid: string } | undefined;
  save(ttl: number): Promise<unknown>;
}

/** A Koa context. */
export interface ProviderContext {
  readonly req: IncomingMessage;
  readonly headers: Readonly<Record<string, string | undefined>>;
  status: number;
  body: unknown;
  type: string;
  readonly response: { get(name: string): string; readonly type: string };
  set(name: string, value: string): void;
  readonly oidc?: {
    readonly route: string;
    readonly params?: Readonly<Record<string, string | undefined>>;
    readonly client?: ProviderClient;
    readonly account?: { readonly accountId: string };
    readonly result?: { readonly login?: object; readonly rollcallSession?: string };
    readonly session?: {
      readonly accountId?: string;
      readonly uid: string;
      readonly destroyed?: boolean;
      rollcallSession?: string;
      readonly state?: { readonly postLogoutRedirectUri?: string };
      past(maxAge: number): boolean;
      grantIdFor(clientId: string): string | undefined;
    };
    readonly prompts: ReadonlySet<string>;
    promptPending(name: string): boolean;
  };
}

export interface ProviderError extends Error {
  readonly error?: string;
  readonly error_description?: string;
  readonly error_detail?: string;
}

/**
 * Loaded only if the provider is on. The library is written for Node.js 22 and warns on earlier versions, where URL.parse
 * is all that it lacks.
 */
export async function loadProviderLibrary(): Promise<ProviderLibrary> {
  const url = URL as unknown as { parse?: (text: string, base?: string) => URL | null };
  url.parse ??= (text, base) => (URL.canParse(text, base) ? new URL(text, base) : null);
  const name: string = 'oidc-provider'; // not a literal, whose types TypeScript would look for
  return (await import(name)) as ProviderLibrary;
}
