import { bearer, createClient, isRollcallError } from '@rollcall/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { expireSession, getSession } from './session.js';

function currentToken(): string | undefined {
  const state = getSession();
  return state.kind === 'active' ? state.session.token : undefined;
}

/** Few retries, because a user is waiting. */
export const rollcall = createClient({ baseUrl: '', auth: bearer(currentToken), retry: { attemptsMax: 3 } });

/** A rejected token opens the sign-in dialog above the page. */
export function expireSessionOnUnauthorized(error: unknown): void {
  const token = currentToken();
  if (token !== undefined && isRollcallError(error) && error.status === 401) expireSession(token);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: expireSessionOnUnauthorized }),
  mutationCache: new MutationCache({ onError: expireSessionOnUnauthorized }),
  defaultOptions: {
    // The client retries by itself.
    queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});
