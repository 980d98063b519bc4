import { settingsCopy } from '../copy/copy.js';

export type SettingsTab = keyof typeof settingsCopy.tabs;

export const settingsTabs = Object.keys(settingsCopy.tabs) as SettingsTab[];

export function settingsPath(tab: SettingsTab): string {
  return `/settings/${tab}`;
}
