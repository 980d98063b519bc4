import { applicationScopes } from '../../contract/enums.js';
import { isOneOf } from '../../domain/clients/client-credentials.js';
import {
  type ApplicationClient,
  findAccount,
  findApplicationClient,
  noteGranted,
} from '../../domain/openid/applications-in-use.js';
import { claimsByScope } from '../../domain/openid/claims.js';
import type { OpenIdKeySet } from '../../domain/openid/openid-keys.js';
import { StateStore } from '../../domain/openid/state-store.js';
import { cookiesFor } from './cookies.js';
import type { OpenIdContext } from './openid-context.js';
import { renderError, renderSignedOut, renderSignOut } from './pages.js';
import type {
  OpenIdProvider,
  ProviderClient,
  ProviderContext,
  ProviderGrant,
  ProviderLibrary,
} from './provider-library.js';

const hourSeconds = 3_600;
/** For signing in, including a second factor and a forgotten password. */
const interactionSeconds = hourSeconds;
const codeSeconds = 60;
const idTokenSeconds = hourSeconds;

/** The protocol, as the library speaks it for these keys. */
export function openProvider(
  library: ProviderLibrary,
  issuer: string,
  keys: OpenIdKeySet,
  context: OpenIdContext,
): OpenIdProvider {
  const provider: OpenIdProvider = new library.Provider(
    issuer,
    configuration(library, issuer, keys, context, () => provider),
  );
  provider.proxy = true; // the scheme and the host are those of the issuer, whatever a request says
  for (const model of [provider.Session, provider.Grant]) {
    const names = [...model.IN_PAYLOAD, 'rollcallSession'];
    Object.defineProperty(model, 'IN_PAYLOAD', { value: names });
  }
  Object.assign(provider.Client.prototype, {
    compareClientSecret(this: ProviderClient, secret: string): boolean {
      return isOneOf(secret, this.secret_hashes);
    },
  });
  return provider;
}

function configuration(
  library: ProviderLibrary,
  issuer: string,
  keys: OpenIdKeySet,
  context: OpenIdContext,
  provider: () => OpenIdProvider,
): object {
  const off = { enabled: false };
  const basePath = new URL(issuer).pathname;
  return {
    adapter: adapterFor(library, context),
    jwks: { keys: keys.usable },
    findAccount: async (
      { oidc }: ProviderContext,
      userSerial: string,
      token: { readonly clientId: string } | undefined,
    ) =>
      findAccount(context.database.pool, {
        userSerial,
        applicationId: token?.clientId ?? oidc?.client?.clientId,
      }),
    interactions: {
      policy: interactionPolicy(library),
      url: (_context: unknown, { uid }: { readonly uid: string }) => `${basePath}/interaction/${uid}`,
    },
    loadExistingGrant: (current: ProviderContext) => grantFor(provider(), context, current),
    cookies: cookiesFor(issuer),
    scopes: [...applicationScopes],
    claims: {
      ...claimsByScope,
      openid: [...claimsByScope.openid, 'acr', 'amr', 'auth_time'],
      iss: null,
      sid: null,
    },
    acrValues: ['phr'],
    responseTypes: ['code'],
    subjectTypes: ['public'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    extraClientMetadata: {
      properties: ['access_token_seconds', 'refresh_token_seconds', 'secret_hashes'],
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: () => true },
    rotateRefreshToken: true,
    clientBasedCORS: isOwnOrigin,
    features: {
      devInteractions: off,
      dPoP: off,
      pushedAuthorizationRequests: off,
      resourceIndicators: off,
      introspection: { enabled: true, allowedPolicy: mayIntrospect },
      revocation: { enabled: true, allowedPolicy: isOwnToken },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: renderSignOut,
        postLogoutSuccessSource: renderSignedOut,
      },
    },
    routes: {
      authorization: '/auth',
      end_session: '/session/end',
      introspection: '/token/introspection',
      jwks: '/jwks',
      revocation: '/token/revocation',
      token: '/token',
      userinfo: '/me',
    },
    ttl: lifetimes(context.sessionLifetimeSeconds),
    renderError,
  };
}

function lifetimes(sessionSeconds: number): object {
  const refreshSeconds = ({ refresh_token_seconds: seconds }: ProviderClient) => seconds;
  return {
    AccessToken: (_: unknown, _token: unknown, client: ProviderClient) => client.access_token_seconds,
    AuthorizationCode: codeSeconds,
    Grant: (_: unknown, _grant: unknown, client: ProviderClient) => refreshSeconds(client) + sessionSeconds,
    IdToken: idTokenSeconds,
    Interaction: interactionSeconds,
    /** A token that replaces another one ends when that one would have. */
    RefreshToken: (
      current: { oidc?: { entities: { RotatedRefreshToken?: { remainingTTL: number } } } } | undefined,
      _token: unknown,
      client: ProviderClient,
    ) => current?.oidc?.entities.RotatedRefreshToken?.remainingTTL ?? refreshSeconds(client),
    Session: sessionSeconds,
  };
}

/** The company's own applications get what they are registered for, so users are never asked for consent. */
function interactionPolicy({ interactionPolicy: { base, Check } }: ProviderLibrary): object {
  const policy = base();
  policy.get('consent').checks.clear();
  policy
    .get('login')
    .checks.add(
      new Check(
        'not_admitted',
        'the user may not sign in to this application',
        'access_denied',
        ({ oidc }) => oidc?.session?.accountId !== undefined && oidc.account === undefined,
      ),
    );
  return policy;
}

/** The grant of this browser session and application. A new one once the user has proved enough. */
async function grantFor(
  provider: OpenIdProvider,
  context: OpenIdContext,
  { oidc, req }: ProviderContext,
): Promise<ProviderGrant | undefined> {
  const { session, client, account, params = {}, result } = oidc ?? {};
  if (!session || !client || !account || !oidc) return undefined;
  if (result?.rollcallSession !== undefined) session.rollcallSession = result.rollcallSession;
  const known = session.grantIdFor(client.clientId);
  const found = known === undefined ? undefined : await provider.Grant.find(known);
  const isTooOld = params.max_age !== undefined && session.past(Number(params.max_age)) && !result?.login;
  if (isTooOld || oidc.promptPending('login')) return found;
  const grant = found ?? new provider.Grant({ accountId: account.accountId, client });
  const granted = new Set(grant.getOIDCScope().split(' '));
  const allowed = client.scope.split(' ');
  const wanted = (params.scope ?? '').split(' ').filter((scope) => allowed.includes(scope));
  if (!found || !wanted.every((scope) => granted.has(scope))) {
    grant.addOIDCScope(wanted.join(' '));
    grant.rollcallSession = session.rollcallSession;
    await grant.save();
  }
  await noteGranted(
    context.database.pool,
    { isNew: !found, sessionId: session.rollcallSession, isUnattended: oidc.prompts.has('none') },
    { userSerial: account.accountId, applicationId: client.clientId },
    context.senderOf(req),
  );
  return grant;
}

/** Pages of a public application call the provider from where it sends its users. */
function isOwnOrigin(_: unknown, origin: string, { redirectUris }: ProviderClient): boolean {
  return redirectUris.some((uri) => new URL(uri).origin === origin);
}

/** An application may ask about its own tokens only, and others get the same answer as for a token that is unknown. */
function mayIntrospect(_: unknown, client: ProviderClient, token: { readonly clientId: string }): boolean {
  return client.clientAuthMethod !== 'none' && token.clientId === client.clientId;
}

function isOwnToken(_: unknown, client: ProviderClient, token: { readonly clientId: string }): boolean {
  return token.clientId === client.clientId;
}

function adapterFor({ errors }: ProviderLibrary, { database, sessionIdleSeconds }: OpenIdContext) {
  const client = async (id: string) => {
    const found = await findApplicationClient(database.pool, id);
    return found && metadataOf(found);
  };
  return (kind: string): object => {
    if (kind === 'Client') return { find: client };
    const store = new StateStore(database, kind, sessionIdleSeconds);
    return {
      upsert: store.upsert.bind(store),
      find: store.find.bind(store),
      findByUid: store.findByUid.bind(store),
      destroy: store.destroy.bind(store),
      revokeByGrantId: store.revokeByGrantId.bind(store),
      consume: async (id: string) => {
        if (!(await store.consume(id))) throw new errors.InvalidGrant('already used');
      },
    };
  };
}

/** In the terms of OpenID Connect Dynamic Client Registration. */
function metadataOf(application: ApplicationClient): object {
  const { isPublic, scopes } = application;
  return {
    client_id: application.id,
    client_name: application.name,
    application_type: 'web',
    redirect_uris: application.redirectUris,
    post_logout_redirect_uris: application.postLogoutUris,
    response_types: ['code'],
    grant_types: ['authorization_code', ...(scopes.includes('offline_access') ? ['refresh_token'] : [])],
    scope: scopes.join(' '),
    token_endpoint_auth_method: isPublic ? 'none' : 'client_secret_basic',
    // Required, but never compared: only hashes are known.
    ...(isPublic ? {} : { client_secret: 'stored as a hash' }),
    secret_hashes: application.secretHashes,
    access_token_seconds: application.accessTokenSeconds,
    refresh_token_seconds: application.refreshTokenDays * 86_400,
  };
}
