import { queryOptions } from '@tanstack/react-query';
import { rollcall } from '../session/api.js';

/** The language of messages to a user, and that of the installation. */
export function languageQuery(serial: string) {
  return queryOptions({
    queryKey: ['user', serial, 'language'],
    queryFn: async ({ signal }) =>
      (await rollcall.call('getLanguage', { path: { serial }, signal })).body.data,
  });
}
