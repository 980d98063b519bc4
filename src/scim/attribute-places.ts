import type { Attribute } from '../contract/attributes.js';

/**
 * Attributes of the standard schemas that the company may have defined as attributes of its own, under the same key. All
 * other company attributes are in an extension.
 */
const standard: ReadonlyMap<string, 'core' | 'enterprise'> = new Map([
  ['title', 'core'],
  ['nickName', 'core'],
  ['profileUrl', 'core'],
  ['userType', 'core'],
  ['preferredLanguage', 'core'],
  ['locale', 'core'],
  ['timezone', 'core'],
  ['costCenter', 'enterprise'],
  ['division', 'enterprise'],
  ['department', 'enterprise'],
]);

export type Place = 'core' | 'enterprise' | 'extension';

/** Where resources have a company attribute. */
export function placeOf({ key, type }: Pick<Attribute, 'key' | 'type'>): Place {
  return type === 'text' || type === 'choice' ? (standard.get(key) ?? 'extension') : 'extension';
}

/** What a provider is asked to define before it is connected. */
export const offeredKeys = ['title', 'department', 'division', 'costCenter'] as const;
