import { formatNumber, users } from './format.js';

export const usersCopy = {
  create: 'Create user',
  search: 'Search',
  searchHint: 'Name, employee ID, username or email',
  status: 'Status',
  statuses: { all: 'All', active: 'Active', inactive: 'Inactive' },
  organization: 'Organization',
  tag: 'Tag',
  filterHint: 'Exact match',
  filters: (count: number) => (count === 0 ? 'Filters' : `Filters (${count})`),
  columns: 'Columns',
  sort: 'Sort by',
  sorts: {
    name: 'Name (A–Z)',
    '-name': 'Name (Z–A)',
    employeeID: 'Employee ID (ascending)',
    '-employeeID': 'Employee ID (descending)',
    createdAt: 'Oldest first',
    '-createdAt': 'Newest first',
  },
  createdAt: 'Created',
  updatedAt: 'Updated',
  table: 'Users',
  tableHint:
    'Use the arrow keys, Page Up, Page Down, Home and End to move between users. Press Enter to open one.',
  loaded: (count: number) => `${formatNumber(count)} loaded. Scroll to load more.`,
  all: users,
  found: (isComplete: boolean, count: number) => {
    if (count === 0) return 'No users found';
    return isComplete ? `${users(count)} found` : `More than ${users(count)} found`;
  },
  notLoaded: "Couldn't load users",
  noMatches: 'No matches',
  noMatchesHint:
    'Search matches the beginning of words in names, employee IDs, usernames and email addresses. Organization and tag must match exactly.',
  empty: 'No users yet',
  emptyHint: 'Create your first user, or import users from a file.',
  emptyHintReader: 'Users appear here once they are created.',
};
