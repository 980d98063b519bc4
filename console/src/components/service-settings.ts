import { queryOptions, useQuery } from '@tanstack/react-query';
import { rollcall } from '../session/api.js';

/** What the service is configured to do, for administrators. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) => (await rollcall.call('getSettings', { signal })).body.data,
});

/** The language of messages to a user, and that of the installation. */
export function languageQuery(serial: string) {
  return queryOptions({
    queryKey: ['user', serial, 'language'],
    queryFn: async ({ signal }) =>
      (await rollcall.call('getLanguage', { path: { serial }, signal })).body.data,
  });
}

const dayMs = 86_400_000;

/** In which the days of the service begin; undefined until it is known. */
export function useServiceTimeZone(): string | undefined {
  const { data } = useQuery({
    queryKey: ['time-zone'],
    queryFn: async ({ signal }) => {
      const query = { from: new Date(Date.now() - dayMs).toISOString().slice(0, 10) };
      return (await rollcall.call('getStatistics', { query, signal })).body.data.timeZone;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
