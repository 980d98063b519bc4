import type { Schemas } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { queryClient, rollcall } from '../session/api.js';
import { refreshProfile } from '../session/sign-in.js';

export type Profile = Schemas['OwnProfile']['data'];
export const profileKey = ['own-profile'] as const;
export const historyKey = ['own-history'] as const;

export function useProfile() {
  return useQuery({
    queryKey: profileKey,
    queryFn: async ({ signal }) => (await rollcall.call('getOwnProfile', { signal })).body.data,
    // The code is on its way.
    refetchInterval: ({ state }) =>
      state.data?.confirmations.some(({ expiresAt }) => expiresAt === null) ? sendingPollMs : false,
  });
}

const sendingPollMs = 2_000;

/** After a reply that contains it. */
export function keepProfile(profile: Profile): void {
  queryClient.setQueryData(profileKey, profile);
  void queryClient.invalidateQueries({ queryKey: historyKey });
  void refreshProfile();
}
