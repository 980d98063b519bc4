import { formatNumber } from '../format.js';
import { plural } from './plural.js';

/** What happened to users. */
export const changesCopy = {
  lead: 'What happened to users, newest first. New entries appear as they happen.',
  limitedLead: 'Bulk changes to users, newest first. Only administrators see changes to single users.',
  feed: 'What happened, newest first',
  empty: 'Nothing has happened yet',
  new: (count: number, isMore: boolean) =>
    isMore ? `${formatNumber(count)}+ new changes` : plural(count, 'new change'),
  live: 'Live',
  liveHint: 'New changes appear within a second.',
  reconnecting: 'Reconnecting…',
  reconnectingHint: 'The connection was lost. No changes will be missed.',
  importOf: (file: string) => `Import of ${file}`,
  counts: {
    joined: (count: number) => `${formatNumber(count)} joined`,
    moved: (count: number) => `${formatNumber(count)} moved`,
    left: (count: number) => `${formatNumber(count)} left`,
    changed: (count: number) => `${formatNumber(count)} changed`,
    removed: (count: number) => `${formatNumber(count)} removed`,
    failed: (count: number) => `${formatNumber(count)} failed`,
  },
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
    entryColumns: ['Time', 'Bulk change', 'Result', 'Failed'],
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
  erasedUser: 'Erased user',
};
