import { queryOptions } from '@tanstack/react-query';
import { rollcall } from '../session/api.js';
import type { Feed } from './feeds.js';

export const feedsQuery = queryOptions({
  queryKey: ['feeds', 'list'],
  queryFn: async ({ signal }): Promise<readonly Feed[]> =>
    (await rollcall.call('listFeeds', { signal })).body.data.items,
});
