import { formatNumber } from '../format.js';
import { plural, users } from './plural.js';

const words = {
  organizations: { one: 'organization', many: 'organizations' },
  tags: { one: 'tag', many: 'tags' },
} as const;

type Kind = keyof typeof words;

export const directoriesCopy = {
  title: { organizations: 'Organizations', tags: 'Tags' },
  searchHint: 'Name or ID',
  empty: (kind: Kind) => `No ${words[kind].many} yet`,
  emptyHint: {
    organizations:
      'Organizations show where users belong, such as a company, department or site. Every organization that a user is assigned to is listed here.',
    tags: 'Tags mark users who have something in common, such as first aiders or part-time staff. Every tag that is assigned to a user is listed here.',
  },
  name: 'Name',
  id: 'ID',
  addName: 'Add name',
  addNameTo: (id: string) => `Add name: ${id}`,
  partsOf: (name: string) => `Parts of ${name}`,
  path: (names: readonly string[]) => names.join(' › '),
  users: 'Users',
  activeUsers: 'Active users',
  actions: 'Actions',
  actionsFor: (name: string) => `Actions for ${name}`,
  usersOf: (name: string, count: number) => `${name}: ${users(count)}`,
  usersWithParts: 'Including parts',
  usersWithPartsOf: (name: string, count: number) =>
    `Users of ${name} and its parts: ${formatNumber(count)} in all`,
  withPartsShort: (count: number) => `${formatNumber(count)} in all`,
  activeUsersOf: (name: string, count: number) => `${name}: ${plural(count, 'active user')}`,
  activeShort: (count: number) => `${formatNumber(count)} active`,

  fields: {
    displayName: 'Display name',
    displayNameHint: 'Shown in place of the ID. Leave empty to show the ID.',
    parent: 'Part of',
    parentHint: 'The organization it belongs to, if any.',
  },
  add: {
    action: (kind: Kind) => `Add ${words[kind].one}`,
    idHint: {
      organizations: 'As in your other systems, such as a department or cost center number.',
      tags: 'As in your other systems, or a short code such as FIRST-AID.',
    },
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
      `This ${words[kind].one} has no users. Its name is lost: if the ID is assigned to a user later, it appears here again without a name.`,
    parts: (names: readonly string[], count: number) => {
      const others = count - names.length;
      const listed = others === 0 ? names : [...names, `${formatNumber(others)} more`];
      return `${plural(count, 'organization')} ${count === 1 ? 'is' : 'are'} part of it: ${listed.join('; ')}.`;
    },
    newParent: 'New parent',
    newParentHint: 'Leave empty for none.',
    partsLoading: 'Looking for organizations that are part of it',
    partsNotLoaded: "Couldn't check which organizations are part of it",
    confirm: 'Delete',
    confirmWithParts: (count: number) => `Move ${plural(count, 'organization')} and delete`,
    done: (name: string) => `${name} deleted.`,
    failed: (kind: Kind) => `Couldn't delete the ${words[kind].one}`,
  },
  rename: {
    action: 'Change ID…',
    title: (name: string) => `Change the ID of ${name}`,
    lead: {
      organizations:
        'Everyone in this organization gets the new ID. Its name, its parent and its parts stay the same, and you can undo this. Update files and other systems that use the old ID as well: otherwise, they bring it back as another organization.',
      tags: 'Everyone with this tag gets the new ID. The name stays the same, and you can undo this. Update files and other systems that use the old ID as well: otherwise, they bring it back as another tag.',
    },
    currentId: 'Current ID',
    newId: 'New ID',
    sameId: 'This is the current ID.',
    taken: (name: string) => `${name} already has this ID.`,
    takenNoName: (kind: Kind) => `Another ${words[kind].one} already has this ID.`,
    mergeInstead: 'To combine the two, use',
    summary: (from: string, to: string) => `The ID changes from ${from} to ${to}.`,
    confirm: (count: number) => (count === 0 ? 'Change ID' : `Change ID for ${users(count)}`),
    done: 'The ID was changed.',
  },
  merge: {
    action: 'Merge into…',
    title: (kind: Kind, name: string) => `Merge ${name} into another ${words[kind].one}`,
    lead: {
      organizations:
        'Everyone in this organization moves to the one you choose. Nothing else about them changes, and you can undo this. This organization stays in the list without users until you delete it, and keeps those that are part of it.',
      tags: 'Everyone with this tag gets the one you choose instead. Nothing else about them changes, and you can undo this. This tag stays in the list without users until you delete it.',
    },
    into: 'Merge into',
    summary: {
      organizations: (from: string, to: string) => `All users in ${from} move to ${to}.`,
      tags: (from: string, to: string) =>
        `All users with ${from} get ${to} instead. Those who have both only lose ${from}.`,
    },
    confirm: {
      organizations: (count: number) => `Move ${users(count)}`,
      tags: (count: number) => `Change ${users(count)}`,
    },
    oldStays: (from: string) =>
      `${from} stays in the list without users, so that this can be undone. Delete it once you no longer need it.`,
  },
};
