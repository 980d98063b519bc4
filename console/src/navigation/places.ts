import type { IconName } from '../components/icon.js';
import { navigationCopy } from '../copy/copy.js';
import type { Scope } from '../session/scopes.js';

export interface Place {
  readonly key: keyof typeof navigationCopy.pages;
  readonly href: string;
  readonly icon: IconName;
  readonly scope: Scope;
  /** Shown below this one. */
  readonly within?: Place['key'];
  /** Other pages that belong to it. */
  readonly also?: readonly string[];
  /** After g, goes there. */
  readonly letter: string;
}

/** The pages of the console, in the order of the navigation. */
export const places: readonly Place[] = [
  { key: 'home', href: '/', icon: 'home', scope: 'users:read', letter: 'h' },
  { key: 'users', href: '/users', icon: 'users', scope: 'users:read', letter: 'u', also: ['/import'] },
  {
    ...{ key: 'organizations', href: '/organizations', icon: 'organizations', within: 'users' },
    ...{ scope: 'users:read', letter: 'o' },
  },
  { key: 'tags', href: '/tags', icon: 'tags', scope: 'users:read', letter: 't', within: 'users' },
  { key: 'feeds', href: '/feeds', icon: 'feeds', scope: 'users:read', letter: 'f' },
  { key: 'activity', href: '/activity', icon: 'activity', scope: 'users:read', letter: 'a' },
  { key: 'settings', href: '/settings', icon: 'settings', scope: 'access:admin', letter: 's' },
  { key: 'system', href: '/system', icon: 'system', scope: 'access:admin', letter: 'y' },
];

export function placesFor(scopes: readonly Scope[]): Place[] {
  return places.filter(({ scope }) => scopes.includes(scope));
}

export function isAt({ href, also = [] }: Place, location: string): boolean {
  if (href === '/') return location === '/';
  return [href, ...also].some((path) => location === path || location.startsWith(`${path}/`));
}

export function nameOf({ key }: Pick<Place, 'key'>): string {
  return navigationCopy.pages[key];
}
