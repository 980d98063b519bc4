import type { IconName } from '../components/icon.js';
import { navigationCopy, settingsCopy } from '../copy/copy.js';
import { nameOf, placesFor } from '../navigation/places.js';
import type { Scope } from '../session/scopes.js';
import { settingsPath, settingsTabs } from '../settings/tabs.js';

export interface Entry {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly does: { readonly goTo: string } | { readonly action: ActionName };
}

export type ActionName = Exclude<
  keyof typeof navigationCopy.palette.actionNames,
  'create' | 'import' | 'password'
>;

const names = navigationCopy.palette.actionNames;

/** For administrators. */
const sections = [
  ...settingsTabs.map(
    (tab): Entry => ({
      id: `settings-${tab}`,
      label: settingsCopy.tabs[tab],
      icon: 'settings',
      does: { goTo: settingsPath(tab) },
    }),
  ),
  ...Object.entries(settingsCopy.systemTabs).map(
    ([tab, label]): Entry => ({
      id: `system-${tab}`,
      label,
      icon: 'system',
      does: { goTo: `/system/${tab}` },
    }),
  ),
];

export function pageEntries(scopes: readonly Scope[]): Entry[] {
  const pages = placesFor(scopes).map(
    (place): Entry => ({
      id: `page-${place.key}`,
      label: nameOf(place),
      icon: place.icon,
      does: { goTo: place.href },
    }),
  );
  return scopes.includes('access:admin') ? [...pages, ...sections] : pages;
}

export function actionEntries(scopes: readonly Scope[]): Entry[] {
  const link = (id: keyof typeof names, icon: IconName, href: string): Entry => ({
    id,
    icon,
    label: names[id],
    does: { goTo: href },
  });
  const action = (id: ActionName, icon: IconName): Entry => ({
    id,
    icon,
    label: names[id],
    does: { action: id },
  });
  return [
    ...(scopes.includes('users:write')
      ? [link('create', 'plus', '/users/new'), link('import', 'import', '/import')]
      : []),
    link('password', 'key', '/account'),
    action('light', 'theme'),
    action('dark', 'theme'),
    action('auto', 'theme'),
    action('shortcuts', 'keyboard'),
    action('signOut', 'exit'),
  ];
}

/** Entries that have a word beginning with each typed word. */
export function matching(entries: readonly Entry[], text: string): Entry[] {
  const typed = wordsOf(text);
  return entries.filter(({ label }) => {
    const words = wordsOf(label);
    return typed.every((start) => words.some((word) => word.startsWith(start)));
  });
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
