import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { retry } from '../../contract/errors.js';
import { recordRefusedApplication } from '../../domain/access/rejected-attempts.js';
import { signOutOfSession } from '../../domain/access/sessions.js';
import type { ThrottledEvents } from '../../domain/audit/throttled-events.js';
import type { Sender } from '../../domain/caller.js';
import { OpenIdKeys } from '../../domain/openid/openid-keys.js';
import { isOutage } from '../../domain/outage.js';
import { openProvider } from './open-provider.js';
import type { OpenIdContext } from './openid-context.js';
import { formTargetsOf } from './pages.js';
import {
  loadProviderLibrary,
  type OpenIdProvider,
  type ProviderContext,
  type ProviderError,
} from './provider-library.js';

export interface ProviderOptions {
  readonly context: Omit<OpenIdContext, 'senderOf'>;
  readonly rejections: ThrottledEvents;
  readonly logger: Logger;
  /** Read late: a port chosen by the system is known only once the service listens. */
  issuer(): string;
}

/** The provider for the current keys. It is built anew when they change. */
export class RunningProvider {
  readonly #options: ProviderOptions;
  readonly #keys: OpenIdKeys;
  readonly #senders = new WeakMap<IncomingMessage, Sender>();
  readonly #library = loadProviderLibrary();
  readonly #outages = new WeakSet<IncomingMessage>();
  #opened: { readonly provider: OpenIdProvider; readonly fingerprint: string } | undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
    this.#keys = new OpenIdKeys(options.context);
    this.#library.catch(() => {}); // reported by the first request
  }

  get issuer(): string {
    return this.#options.issuer();
  }

  async current(): Promise<OpenIdProvider> {
    const [library, keys] = await Promise.all([this.#library, this.#keys.current()]);
    if (this.#opened?.fingerprint === keys.fingerprint) return this.#opened.provider;
    const { context } = this.#options;
    const provider = openProvider(library, this.issuer, keys, {
      ...context,
      senderOf: (request) => this.#senders.get(request),
    });
    this.#opened = { provider, fingerprint: keys.fingerprint };
    provider.use((current, next) => this.#around(current, next));
    this.#listenTo(provider);
    return provider;
  }

  /** The request gets the scheme, host and path of the issuer: the provider makes URLs of them. */
  address(request: IncomingMessage, path: string, sender: Sender): void {
    const { protocol, host, pathname } = new URL(this.issuer);
    this.#senders.set(request, sender);
    request.headers.host = host;
    request.headers['x-forwarded-proto'] = protocol.replace(':', '');
    delete request.headers['x-forwarded-host'];
    Object.assign(request, { url: path, originalUrl: `${pathname}${path}` });
  }

  async #around(context: ProviderContext, next: () => Promise<void>): Promise<void> {
    await next();
    const { oidc, req } = context;
    if (context.status === 500 && this.#outages.has(req)) unavailable(context);
    if (oidc?.route === 'jwks') context.body = { keys: (await this.#keys.current()).published };
    if (oidc?.route === 'end_session_confirm' && oidc.session?.destroyed)
      await this.#signOut(context, oidc.session.rollcallSession);
    // A page that submits itself: a code for an application that wants it in a form, or a sign-out without a session.
    const isForm = context.response.type === 'text/html' && !policyOf(context).includes('form-action');
    if (isForm)
      context.set(
        'content-security-policy',
        `${policyOf(context)}; form-action ${formTargetsOf(context).join(' ')}`,
      );
  }

  /** Who signs out of an application everywhere has signed out here as well. */
  async #signOut({ req }: ProviderContext, id: string | undefined): Promise<void> {
    const sender = this.#senders.get(req);
    if (id !== undefined && sender) await signOutOfSession(this.#options.context.database, id, sender);
  }

  #listenTo(provider: OpenIdProvider): void {
    const { logger } = this.#options;
    const failed = ({ req }: ProviderContext, error: ProviderError) => {
      if (!isOutage(error)) return logger.error({ err: error }, 'internal error of the OpenID provider');
      this.#outages.add(req);
      return logger.warn({ err: error }, 'the database could not serve a request');
    };
    const refused = (context: ProviderContext, error: ProviderError) => {
      this.#recordRefusal(context, error).catch((cause: unknown) => {
        logger.warn({ err: cause }, 'a refused application could not be recorded');
      });
    };
    provider.on('server_error', failed);
    for (const event of ['grant.error', 'introspection.error', 'revocation.error'])
      provider.on(event, refused);
    provider.on('error', () => {}); // already reported; a listener keeps the library from writing to the console
  }

  async #recordRefusal({ req, oidc }: ProviderContext, error: ProviderError): Promise<void> {
    const sender = this.#senders.get(req);
    const kind = refusals.find(({ form }) => form.test(`${error.error}: ${error.error_detail ?? ''}`))?.kind;
    if (!sender || !kind) return;
    await recordRefusedApplication(this.#options.rejections, kind, oidc?.client?.clientId, sender);
  }
}

const refusals = [
  { kind: 'token.refused', form: /^invalid_client: / },
  { kind: 'application.copy-used', form: /^invalid_grant: .*already (?:used|consumed)/ },
] as const;

/** As every other operation answers while the database is away. */
function unavailable(context: ProviderContext): void {
  const isPage = context.response.type === 'text/html';
  const { body } = context;
  context.set('retry-after', String(retry.retryAfterSeconds));
  context.status = 503;
  context.body = isPage
    ? body
    : { error: 'temporarily_unavailable', error_description: 'Nothing was changed; retry the request.' };
}

function policyOf(context: ProviderContext): string {
  return context.response.get('content-security-policy');
}
