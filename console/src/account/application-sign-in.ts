import { createClient } from '@rollcall/client';
import { queryOptions } from '@tanstack/react-query';

/** Needs no session: it is shown to users who are about to sign in. */
const anonymous = createClient({ baseUrl: '' });

/** The application that has sent the user here. */
export function applicationSignInQuery(id: string) {
  return queryOptions({
    queryKey: ['application-sign-in', id],
    queryFn: async ({ signal }) =>
      (await anonymous.call('getApplicationSignIn', { path: { id }, signal })).body.data,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Where the browser goes on, or back to the application with a refusal. The page is not the console's. */
export function leaveTo(id: string, step: 'continue' | 'abort'): void {
  window.location.replace(`/oidc/interaction/${encodeURIComponent(id)}/${step}`);
}
