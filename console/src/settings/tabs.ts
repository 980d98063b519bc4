import type { settingsCopy } from '../copy/copy.js';
import type { Scope } from '../session/session.js';

export type SettingsTab = keyof typeof settingsCopy.tabs;

/** The scope that the API requires for each section. */
export const settingsScope: Readonly<Record<SettingsTab, Scope>> = {
  organizations: 'users:read',
  tags: 'users:read',
  attributes: 'access:admin',
  clients: 'access:admin',
  provisioning: 'access:admin',
  webhooks: 'access:admin',
  targets: 'access:admin',
  limits: 'access:admin',
  status: 'access:admin',
};

export function settingsTabsFor(scopes: readonly Scope[]): SettingsTab[] {
  return (Object.keys(settingsScope) as SettingsTab[]).filter((tab) => scopes.includes(settingsScope[tab]));
}

export function settingsPath(tab: SettingsTab): string {
  return `/settings/${tab}`;
}
