import { formatNumber } from '../format.js';
import { users } from './plural.js';

export const changeUsersCopy = {
  /** Without a number as long as it is an estimate. */
  action: (count: number | undefined) => {
    if (count === undefined) return 'Change all matching users…';
    return count === 1 ? 'Change this user…' : `Change all ${formatNumber(count)} users…`;
  },
  title: 'Change matching users',
  search: (text: string) => `Search “${text}”`,
  change: 'What to change',
  kinds: {
    addTag: 'Add a tag',
    removeTag: 'Remove a tag',
    setOrganization: 'Set the organization',
    clearOrganization: 'Remove the organization',
    setManager: 'Set the manager',
    clearManager: 'Remove the manager',
    setAttribute: 'Set an attribute',
    clearAttribute: 'Clear an attribute',
    activate: 'Activate',
    deactivate: 'Deactivate',
  },
  directories: { organizations: 'Organization', tags: 'Tag', users: 'Manager' },
  serialHint: 'Name or ID',
  isNew: {
    organizations: (id: string) => `${id} is a new organization. Check the spelling.`,
    tags: (id: string) => `${id} is a new tag. Check the spelling.`,
  },
  hints: {
    activate:
      'They can sign in again, but have no access to this console until an administrator gives them a role. Password messages that wait for this are sent. Held messages stay held.',
    deactivate:
      'They are signed out, can no longer sign in, and lose their roles. Undoing this reactivates them, but does not restore their roles.',
  },
  confirm: {
    activate: (count: number) => `Activate ${users(count)}`,
    deactivate: (count: number) => `Deactivate ${users(count)}`,
  },
  willChange: {
    activate: (count: number) => `${users(count)} will be activated.`,
    deactivate: (count: number) => `${users(count)} will be deactivated.`,
  },
  changed: {
    activate: (count: number) => `${users(count)} activated.`,
    deactivate: (count: number) => `${users(count)} deactivated.`,
  },
  sentences: {
    addTag: (entry: string) => `Add the tag ${entry}.`,
    removeTag: (entry: string) => `Remove the tag ${entry}.`,
    setOrganization: (entry: string) => `Set the organization to ${entry}.`,
    clearOrganization: () => 'Remove the organization.',
    setManager: (entry: string) => `Set the manager to ${entry}.`,
    clearManager: () => 'Remove the manager.',
    setAttribute: (name: string, value: string) => `Set ${name} to ${value}.`,
    clearAttribute: (name: string) => `Clear ${name}.`,
    activate: () => 'Activate the users.',
    deactivate: () => 'Deactivate the users.',
  },
  /** What was done, as a title: the value is with the changes. */
  done: { setAttribute: (name: string) => `Set ${name}` },
};
