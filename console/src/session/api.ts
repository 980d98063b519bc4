import { type ClientOptions, createClient, isRollcallError, type Rollcall } from '@rollcall/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { waitsForService } from './outage.js';
import { repeatedOnceProven } from './proof.js';
import { expireSession, getSession, restrictSession } from './session.js';
import { noteIfUnattended } from './unattended.js';

type Fetch = NonNullable<ClientOptions['fetch']>;

/** The browser adds the cookie of the session. */
const fetchAsUser: Fetch = repeatedOnceProven((url, init) => fetch(url, noteIfUnattended(init)));

/** Few retries, because a user is waiting. */
export const rollcall = createClient({ baseUrl: '', retry: { attemptsMax: 3 }, fetch: fetchAsUser });

/** For a single request that is sent in its own way. */
export function clientWith(fetch: Fetch): Rollcall {
  return createClient({ baseUrl: '', retry: false, fetch });
}

/** A session that has ended opens the sign-in dialog above the page. */
export function expireSessionOnUnauthorized(error: unknown): void {
  const state = getSession();
  if (state.kind === 'active' && isRollcallError(error, 'ACCESS_TOKEN_INVALID', 'ACCESS_TOKEN_REQUIRED')) {
    expireSession(state.session.id);
  }
}

/** Another session of the user has added a factor. Proofs ask for it themselves, and are no queries. */
function noticeMissingFactor(error: unknown): void {
  if (isRollcallError(error, 'ACCESS_FACTOR_REQUIRED'))
    restrictSession(error.data.secondFactor ?? 'required');
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      expireSessionOnUnauthorized(error);
      noticeMissingFactor(error);
    },
  }),
  mutationCache: new MutationCache({ onError: expireSessionOnUnauthorized }),
  defaultOptions: {
    // The client retries by itself, for seconds. Queries then wait until the service is back.
    queries: {
      retry: waitsForService,
      retryDelay: 0,
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      refetchOnReconnect: 'always',
    },
    // Saving fails at once, rather than at a time when the user no longer expects it.
    mutations: { retry: false, networkMode: 'always' },
  },
});
