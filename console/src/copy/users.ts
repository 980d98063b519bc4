import { formatNumber } from './format.js';

export const usersCopy = {
  create: 'Create a person',
  search: 'Search',
  searchHint: 'Name, employee ID, username or email',
  status: 'Status',
  statuses: { all: 'All', active: 'Active', inactive: 'Inactive' },
  organization: 'Organization',
  tag: 'Tag',
  filterHint: 'Exactly this one',
  filters: (count: number) => (count === 0 ? 'Filters' : `Filters (${count})`),
  clearFilters: 'Clear the filters',
  columns: 'Columns',
  sort: 'Sort by',
  sorts: {
    name: 'Name, A to Z',
    '-name': 'Name, Z to A',
    employeeID: 'Employee ID, upwards',
    '-employeeID': 'Employee ID, downwards',
    createdAt: 'Created, oldest first',
    '-createdAt': 'Created, newest first',
  },
  createdAt: 'Created',
  updatedAt: 'Changed',
  table: 'People',
  tableHint:
    'Move between people with the arrow keys, Page Up, Page Down, Home and End; Enter opens the person.',
  loaded: (rows: number) => `${formatNumber(rows)} loaded; more follow as you scroll`,
  all: (rows: number) => (rows === 1 ? '1 person' : `${formatNumber(rows)} people`),
  found: (isWhole: boolean, rows: number) => {
    if (rows === 0) return 'Nobody found';
    if (!isWhole) return `More than ${formatNumber(rows)} people found`;
    return rows === 1 ? '1 person found' : `${formatNumber(rows)} people found`;
  },
  notLoaded: 'The people could not be loaded.',
  nobodyFound: 'Nobody is like that',
  nobodyFoundHint:
    'The search looks at the beginnings of words in names, employee IDs, usernames and emails. Organization and tag have to be exact.',
  nobodyYet: 'There is nobody here yet',
  nobodyYetHint: 'Create the first person, or many from a file.',
  nobodyYetHintReader: 'Nobody has been created so far.',
};
