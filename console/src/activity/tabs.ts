import type { Schemas } from '@rollcall/client';
import type { activityCopy } from '../copy/copy.js';

type Scope = Schemas['Client']['scopes'][number];
export type Tab = keyof typeof activityCopy.tabs;

/** The scope that the API requires for each tab. */
export const scopeOf: Readonly<Record<Tab, Scope>> = {
  story: 'users:read',
  calls: 'users:read',
  'sign-ins': 'audit:read',
  sessions: 'access:admin',
  deliveries: 'access:admin',
};

export function tabsFor(scopes: readonly Scope[]): Tab[] {
  return (Object.keys(scopeOf) as Tab[]).filter((tab) => scopes.includes(scopeOf[tab]));
}

export function pathOf(tab: Tab): string {
  return `/activity/${tab}`;
}
