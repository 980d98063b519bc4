import { bearer, type ClientOptions, createClient, isRollcallError, type Rollcall } from '@rollcall/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { waitsForService } from './outage.js';
import { expireSession, getSession } from './session.js';

function currentToken(): string | undefined {
  const state = getSession();
  return state.kind === 'active' ? state.session.token : undefined;
}

/** Few retries, because a user is waiting. */
export const rollcall = createClient({ baseUrl: '', auth: bearer(currentToken), retry: { attemptsMax: 3 } });

/** For a single request that is sent in its own way. */
export function clientWith(fetch: ClientOptions['fetch']): Rollcall {
  return createClient({ baseUrl: '', auth: bearer(currentToken), retry: false, fetch });
}

/** A rejected token opens the sign-in dialog above the page. */
export function expireSessionOnUnauthorized(error: unknown): void {
  const token = currentToken();
  if (token !== undefined && isRollcallError(error) && error.status === 401) expireSession(token);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: expireSessionOnUnauthorized }),
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
