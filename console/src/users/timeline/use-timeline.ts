import { type PagedList, usePagedList } from '../../components/paged-list.js';
import { rollcall } from '../../session/api.js';
import { useCurrentUser } from '../../session/session.js';
import { historyKey } from '../data/user-queries.js';
import { isHoldingBack, mergeSources, type Source } from './merge-sources.js';
import {
  type AccessEvent,
  type Change,
  entryOfChange,
  entryOfEvent,
  entryOfMessage,
  type Message,
  type TimelineEntry,
} from './timeline-entry.js';
import { isShown, sourcesFor, type TimelineFilter } from './timeline-filter.js';

/** A message that is being sent changes soon. */
const waitingRefetchMs = 5_000;

/** Changes, access events and messages as one list. */
export function useTimeline(userSerial: string, filter: TimelineFilter): PagedList<TimelineEntry> {
  const sources = sourcesFor(filter, useCurrentUser().scopes);
  const changes = usePagedList<Change>({
    key: [...historyKey(userSerial), 'changes'],
    load: async (page, signal) =>
      (await rollcall.call('listChanges', { query: { userSerial, ...page }, signal })).body.data,
    isEnabled: sources.includes('changes'),
  });
  const access = usePagedList<AccessEvent>({
    key: [...historyKey(userSerial), 'access'],
    load: async (page, signal) =>
      (await rollcall.call('listAccessEvents', { query: { userSerial, ...page }, signal })).body.data,
    isEnabled: sources.includes('access'),
  });
  const messages = usePagedList<Message>({
    key: [...historyKey(userSerial), 'messages'],
    load: async (page, signal) =>
      (await rollcall.call('listDeliveries', { query: { userSerial, ...page }, signal })).body.data,
    refetchMs: (items) => items.some(({ state }) => state === 'waiting') && waitingRefetchMs,
    isEnabled: sources.includes('messages'),
  });
  const lists = {
    changes: { ...changes, entries: changes.items.map(entryOfChange) },
    access: { ...access, entries: access.items.map(entryOfEvent) },
    messages: { ...messages, entries: messages.items.map(entryOfMessage) },
  };
  return combined(
    sources.map((source) => lists[source]),
    filter,
  );
}

type LoadedSource = Source & Omit<PagedList<unknown>, 'items'>;

function combined(lists: readonly LoadedSource[], filter: TimelineFilter): PagedList<TimelineEntry> {
  return {
    items: mergeSources(lists).filter((entry) => isShown(entry, filter)),
    isLoading: lists.some(({ isLoading }) => isLoading),
    error: lists.find(({ error }) => error !== undefined)?.error,
    hasMore: lists.some(({ hasMore }) => hasMore),
    isLoadingMore: lists.some(({ isLoadingMore }) => isLoadingMore),
    reload: () => {
      for (const list of lists) if (list.error !== undefined) list.reload();
    },
    loadMore: () => {
      for (const list of lists) if (isHoldingBack(list, lists)) list.loadMore();
    },
  };
}
