import { formatNumber, plural, users } from './format.js';

interface Words {
  readonly one: string;
  readonly many: string;
}

const words = {
  organizations: { one: 'organization', many: 'organizations' },
  tags: { one: 'tag', many: 'tags' },
} as const satisfies Record<string, Words>;

type Kind = keyof typeof words;

export const directoriesCopy = {
  title: { organizations: 'Organizations', tags: 'Tags' },
  searchHint: 'Name or ID',
  empty: (kind: Kind) => `No ${words[kind].many} yet`,
  emptyHint: {
    organizations:
      'Organizations say where users belong, such as a company, a department or a site. Every organization that a user has is listed here, with its name and its number of users.',
    tags: 'Tags mark users who have something in common, such as first aiders or part-time staff. Every tag that a user has is listed here, with its name and its number of users.',
  },
  name: 'Name',
  id: 'ID',
  noName: 'No name',
  parent: 'Part of',
  users: 'Users',
  activeUsers: 'Active users',
  actions: 'Actions',
  actionsFor: (name: string) => `Actions for ${name}`,
  usersOf: (name: string, count: number) => `${name}: ${users(count)}`,
  activeUsersOf: (name: string, count: number) => `${name}: ${plural(count, 'active user')}`,
  activeShort: (count: number) => `${formatNumber(count)} active`,
  nothingFound: 'No matches',
  clear: (label: string) => `Clear ${label}`,

  fields: {
    displayName: 'Display name',
    displayNameHint: 'Shown in place of the ID. Leave empty to show the ID.',
    parent: 'Part of',
    parentHint: 'The organization it belongs to, if any.',
  },
  add: {
    action: (kind: Kind) => `Add ${words[kind].one}`,
    idHint: 'The ID that your other systems use, such as a cost center or department number.',
    exists: (name: string) => `${name} already exists.`,
    editInstead: 'Edit it instead',
    done: (name: string) => `${name} added.`,
    failed: (kind: Kind) => `Couldn't add the ${words[kind].one}`,
  },
  edit: {
    action: 'Edit…',
    title: (name: string) => `Edit ${name}`,
    saved: (name: string) => `${name} saved.`,
    failed: "Couldn't save changes",
  },
  remove: {
    action: 'Delete…',
    title: (name: string) => `Delete ${name}?`,
    text: (kind: Kind) =>
      `No user has this ${words[kind].one}. Its name is deleted. If a user gets the ID later, the ${words[kind].one} appears again without a name.`,
    confirm: 'Delete',
    done: (name: string) => `${name} deleted.`,
    failed: (kind: Kind) => `Couldn't delete the ${words[kind].one}`,
  },
  rename: {
    action: 'Change ID…',
    title: (name: string) => `Change the ID of ${name}`,
    lead: (kind: Kind) =>
      `All users of this ${words[kind].one} get the new ID. The name moves along with it. Other systems that use the old ID must be updated separately.`,
    currentId: 'Current ID',
    newId: 'New ID',
    sameId: 'This is the current ID.',
    summary: (name: string, from: string, to: string) => `${name}: the ID changes from ${from} to ${to}.`,
    confirm: (count: number) => (count === 0 ? 'Change ID' : `Change ID of ${users(count)}`),
    oldIdStays: (from: string) =>
      `${from} stays in the list without users, so that this can be undone. Delete it once you no longer need it.`,
  },
  merge: {
    action: 'Merge into…',
    title: (name: string) => `Merge ${name} into another`,
    lead: (kind: Kind) => `All users of this ${words[kind].one} move to the ${words[kind].one} you choose.`,
    into: 'Merge into',
    summary: (from: string, to: string) => `All users of ${from} move to ${to}.`,
    confirm: (count: number) => `Move ${users(count)}`,
    oldStays: (from: string) =>
      `${from} stays in the list without users, so that this can be undone. Delete it once you no longer need it.`,
  },
};
