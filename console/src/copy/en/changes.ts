import { formatNumber } from '../format.js';
import { plural } from './plural.js';

export const changesCopy = {
  title: 'Changes',
  lead: 'Everything that changed about users, newest first. New changes appear as they happen.',
  feed: 'Changes, newest first',
  empty: 'No changes yet',
  new: (count: number, isMore: boolean) =>
    isMore ? `${formatNumber(count)}+ new changes` : plural(count, 'new change'),
  live: 'Live',
  liveHint: 'New changes appear within a second.',
  reconnecting: 'Reconnecting…',
  reconnectingHint: 'The connection was lost. No changes will be missed.',
  filters: {
    who: 'Changed by',
    anyone: 'Anyone',
    user: 'User',
    anyUser: 'Any user',
    kind: 'Type',
    field: 'Field',
    from: 'From',
    until: 'To',
    any: 'All',
    call: 'Only changes of',
    search: 'Type a name or employee ID',
    nobody: 'No matches',
    clients: 'API clients',
    users: 'Users',
  },
  bulkCall: 'Bulk call',
  erasedUser: 'Erased user',
};
