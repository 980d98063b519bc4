import { queryOptions } from '@tanstack/react-query';
import { type Feed, feedHealth } from '../components/feeds.js';
import { queryClient, rollcall } from '../session/api.js';
import { isUnderWay } from './feed.js';

/** Feeds start by themselves, so pages look again even if nothing seems to happen. */
const refetchMs = { running: 1_500, idle: 15_000 };

export function feedsRefetchMs(feeds: readonly Feed[] | undefined): number {
  const isAnyRunning = feeds?.some((feed) => feedHealth(feed) === 'running');
  return isAnyRunning ? refetchMs.running : refetchMs.idle;
}

export function feedQuery(key: string) {
  return queryOptions({
    queryKey: ['feeds', 'feed', key],
    queryFn: async ({ signal }) => (await rollcall.call('getFeed', { path: { key }, signal })).body.data,
    refetchInterval: ({ state }) => feedsRefetchMs(state.data ? [state.data] : []),
  });
}

export function runQuery(key: string, run: string) {
  return queryOptions({
    queryKey: ['feeds', 'run', key, run],
    queryFn: async ({ signal }) =>
      (await rollcall.call('getFeedRun', { path: { key, run }, signal })).body.data,
    refetchInterval: ({ state }) =>
      state.data && isUnderWay(state.data) ? refetchMs.running : refetchMs.idle,
  });
}

export const refreshFeeds = () => queryClient.invalidateQueries({ queryKey: ['feeds'] });
