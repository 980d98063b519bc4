import { bearer, createClient, isRollcallError } from '@rollcall/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { markEnded, sessionNow } from './session.js';

function tokenNow(): string | undefined {
  const state = sessionNow();
  return state.kind === 'active' ? state.session.token : undefined;
}

/** The service that this console comes from. Somebody waits, so a lost connection is told soon. */
export const rollcall = createClient({ baseUrl: '', auth: bearer(tokenNow), retry: { attemptsMax: 3 } });

/** A refused token ends the session: whoever sees it is asked to sign in again, and keeps what is on the page. */
export function noticeSessionEnd(error: unknown): void {
  const token = tokenNow();
  if (token !== undefined && isRollcallError(error) && error.status === 401) markEnded(token);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSessionEnd }),
  mutationCache: new MutationCache({ onError: noticeSessionEnd }),
  defaultOptions: {
    // The client itself tries again where that helps.
    queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});
