import type { RequestBody, Schemas } from '#client';
import type { patchAttributeFields } from '../../contract/attributes.js';
import { keyValue } from '../arguments.js';

export type Attribute = Schemas['Attribute'];

export type SettingName = Exclude<keyof typeof patchAttributeFields, 'key'>;

/** What can be decided about an attribute besides its key and type, in the order in which it is shown. */
const settings: Readonly<Record<SettingName, 'value' | 'flag'>> = {
  labels: 'value',
  synonyms: 'value',
  maxLength: 'value',
  pattern: 'value',
  minimum: 'value',
  maximum: 'value',
  choices: 'value',
  isUnique: 'flag',
  isSearchable: 'flag',
  isFilterable: 'flag',
  isSensitive: 'flag',
  isEditableByUser: 'flag',
  isRetired: 'flag',
};
export const settingNames = Object.keys(settings) as SettingName[];

/** The settings that can be reset. Flags are set to false instead. */
export const clearable = settingNames.filter((name) => settings[name] === 'value');

/** The options of `create` and `update`, each named like its flag. */
export interface SettingOptions {
  readonly label?: readonly string[] | undefined;
  readonly synonym?: readonly string[] | undefined;
  readonly choice?: readonly string[] | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly minimum?: number | string | undefined;
  readonly maximum?: number | string | undefined;
  readonly unique?: boolean | undefined;
  readonly searchable?: boolean | undefined;
  readonly filterable?: boolean | undefined;
  readonly sensitive?: boolean | undefined;
  readonly editable?: boolean | undefined;
}

type Settings = Omit<RequestBody<'createAttribute'>, 'key' | 'type'>;

/** The settings that were given. Labels are added to those from before; an empty one is removed. */
export function settingsGiven(options: SettingOptions, before: Attribute['labels'] = {}): Settings {
  const labels = options.label && {
    ...before,
    ...Object.fromEntries(options.label.map(keyValue).map(({ key, text }) => [key, text.trim()])),
  };
  const given = {
    labels: labels && Object.fromEntries(Object.entries(labels).filter(([, text]) => text !== '')),
    synonyms: options.synonym,
    maxLength: options.maxLength,
    pattern: options.pattern,
    minimum: options.minimum,
    maximum: options.maximum,
    choices: options.choice,
    isUnique: options.unique,
    isSearchable: options.searchable,
    isFilterable: options.filterable,
    isSensitive: options.sensitive,
    isEditableByUser: options.editable,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** "Berlin, Lyon", "en: Site, de: Standort", "none" */
export function formatSetting(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return value.join(', ') || 'none';
  if (typeof value !== 'object') return String(value);
  return (
    Object.entries(value)
      .map(([language, text]) => `${language}: ${text}`)
      .join(', ') || 'none'
  );
}
