import { queryOptions } from '@tanstack/react-query';
import { rollcall } from '../session/api.js';

/** What the service is configured to do, for administrators. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) => (await rollcall.call('getSettings', { signal })).body.data,
});
