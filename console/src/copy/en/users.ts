import { formatNumber } from '../format.js';
import { users } from './plural.js';

interface Total {
  readonly count: number;
  readonly isExact: boolean;
}

const about = ({ isExact }: Total) => (isExact ? '' : 'About ');
const match = ({ count }: Total) => (count === 1 ? 'matches' : 'match');

export const usersCopy = {
  create: 'Create user',
  import: 'Import users',
  searchHint: 'Name, employee ID, username, email or phone',
  filter: {
    add: 'Add filter',
    active: 'Active filters',
    apply: 'Apply',
    clearAll: 'Clear all',
    remove: (filter: string) => `Remove filter: ${filter}`,
    kinds: {
      status: 'Status',
      organization: 'Organization',
      tag: 'Tag',
      manager: 'Manager',
      managerStatus: 'Manager status',
      role: 'Role',
      password: 'Password',
      signIn: 'Sign-in',
      created: 'Created',
      updated: 'Updated',
    },
    choices: {
      active: 'Active',
      inactive: 'Inactive',
      notChosen: 'Password not chosen yet',
      chosen: 'Password chosen',
      never: 'Never signed in',
      signedIn: 'Has signed in',
      managerInactive: 'Manager inactive or removed',
      managerActive: 'Manager active',
    },
    condition: 'Condition',
    is: 'is',
    isNot: 'is not',
    none: { organization: 'No organization', tag: 'No tags', manager: 'No manager' },
    serialPlaceholder: 'Name or ID',
    serialHint: 'Choose one, or type its ID and press Enter.',
    managerPlaceholder: 'Name or employee ID',
    managerHint: 'Choose a user, or type an employee ID and press Enter.',
    from: (kind: string) => `${kind} from`,
    until: (kind: string) => `${kind} until`,
    list: (kind: string, isNot: boolean, values: string, includesParts = false) =>
      `${kind} ${isNot ? 'is not' : 'is'} ${values}${includesParts ? ', including those below' : ''}`,
    includeParts: 'Include organizations below',
    // Names contain commas.
    or: (values: readonly string[]) => values.join(' or '),
    moreValues: (count: number) => `${formatNumber(count)} more`,
    days: (kind: string, from: string | undefined, until: string | undefined) => {
      if (from === undefined) return `${kind} until ${until}`;
      if (until === undefined) return `${kind} since ${from}`;
      return from === until ? `${kind} on ${from}` : `${kind} ${from} – ${until}`;
    },
  },
  /** Why a search found a user who has another employee ID now. */
  formerly: (employeeID: string) => `formerly ${employeeID}`,
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
    'Use the arrow keys, Page Up, Page Down, Home and End to move between users. Press Enter to open one, and Space to select it.',
  gridHint:
    'Use the arrow keys, Page Up, Page Down, Home and End to move between users and fields. Press Enter to open a user, F2 to edit a field, and Space to select a user.',
  incomplete: 'Many users have just changed. Some may be missing for a moment.',
  total: (total: Total) => `${about(total)}${users(total.count)}`,
  // A rounded estimate can exceed the number of all users.
  matching: (total: Total, all: Total | undefined) =>
    all === undefined
      ? `${about(total)}${users(total.count)} ${match(total)}`
      : `${about(total)}${formatNumber(Math.min(total.count, all.count))} of ${users(all.count)} ${match(total)}`,
  moreThan: (count: number, isFiltered: boolean) => `More than ${users(count)}${isFiltered ? ' match' : ''}`,
  notLoaded: "Couldn't load users",
  didYouMean: 'Did you mean:',
  noMatches: {
    title: 'No users match',
    searchHint:
      'Search finds parts of names, employee IDs, usernames, email addresses and phone numbers. One or two characters only match the beginning of a word.',
    removeOne: 'Remove one of these to see users:',
    removeSeveral: 'Several filters together hide all users.',
    remove: (filter: string) => `Remove “${filter}”`,
    widen: (filter: string) => `Show “${filter}”`,
    showing: (removal: string, { count, isExact }: Total) =>
      `${removal} (${isExact ? '' : 'about '}${users(count)})`,
  },
  empty: 'No users yet',
  emptyHint: 'Create your first user, or import users from a file.',
  emptyHintReader: 'Users appear here once they are created.',
};
