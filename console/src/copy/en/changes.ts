import { formatNumber } from '../format.js';
import { plural } from './plural.js';

/** What happened to users. */
export const changesCopy = {
  lead: 'What happened to users, organizations and tags, newest first. New entries appear as they happen.',
  limitedLead:
    'Bulk changes to users, and changes to organizations and tags, newest first. Only administrators see changes to single users.',
  feed: 'What happened, newest first',
  empty: 'Nothing has happened yet',
  new: (count: number, isMore: boolean) =>
    isMore ? `${formatNumber(count)}+ new changes` : plural(count, 'new change'),
  live: 'Live',
  liveHint: 'New changes appear within a second.',
  reconnecting: 'Reconnecting…',
  reconnectingHint: 'The connection was lost. No changes will be missed.',
  importOf: (file: string) => `Import of ${file}`,
  merged: (from: string, to: string) => `${from} merged into ${to}`,
  renamedOrganization: (name: string, from: string, to: string) => `Organization ${name}: ID ${from} → ${to}`,
  renamedTag: (name: string, from: string, to: string) => `Tag ${name}: ID ${from} → ${to}`,
  undone: (title: string) => `Undone: ${title}`,
  decision: {
    planned: 'Scheduled',
    approved: 'Approved',
    rejected: 'Rejected',
    cancelled: 'Cancelled',
    users: (count: number) => plural(count, 'user'),
    runs: (time: string) => `for ${time}`,
  },
  failed: (count: number) => `${formatNumber(count)} failed`,
  /** What became of an organization or a tag. */
  edit: {
    organizations: {
      added: (name: string) => `Organization ${name} added`,
      changed: (name: string) => `Organization ${name} changed`,
      removed: (name: string) => `Organization ${name} removed`,
      several: (count: number) => `${formatNumber(count)} organizations added`,
    },
    tags: {
      added: (name: string) => `Tag ${name} added`,
      changed: (name: string) => `Tag ${name} changed`,
      removed: (name: string) => `Tag ${name} removed`,
      several: (count: number) => `${formatNumber(count)} tags added`,
    },
    fields: { displayName: 'Name', parentSerial: 'Part of' },
    more: (names: string, count: number) => `${names} and ${formatNumber(count)} more`,
  },
  statuses: { deactivated: 'Deactivated', reactivated: 'Reactivated' },
  nothingChanged: 'nothing changed',
  showPeople: (count: string) => `Show people (${count})`,
  hidePeople: 'Hide people',
  peopleOf: (title: string, time: string) => `of "${title}", ${time}`,
  people: 'People who were changed',
  failures: 'Rows that failed',
  failuresOfRun: 'View the rows that failed',
  showIDs: 'Show employee IDs',
  export: {
    open: 'Download CSV',
    limit: (max: string) => `What the filters show, up to ${max} changes, newest first`,
    done: (rows: number) => `${plural(rows, 'row')} downloaded.`,
    cut: (rows: string) =>
      `The newest ${rows} rows were downloaded. For earlier ones, choose a shorter period.`,
    failed: "Couldn't download the file",
    fileName: 'activity.csv',
    columns: ['Time', 'Bulk change', 'Name', 'Employee ID', 'Change', 'Field', 'Before', 'After', 'Made by'],
  },
  filters: {
    who: 'Made by',
    anyone: 'Anyone',
    kind: 'Type',
    field: 'Field',
    from: 'From',
    until: 'To',
    any: 'All',
    search: 'Type a name or employee ID',
    nobody: 'No matches',
    programs: 'Feeds and API clients',
    users: 'Users',
  },
  periods: {
    label: 'Period',
    lastDay: 'Last 24 hours',
    sinceYesterdayEvening: 'Since yesterday 18:00',
    lastWeek: 'Last 7 days',
  },
  erasedUser: 'Erased user',
};
