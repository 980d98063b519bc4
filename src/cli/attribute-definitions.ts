import type { Rollcall, Schemas } from '#client';
import { type AttributeValue, attributeRule, parseAttribute } from '#sheets';
import { nearest } from '../config/nearest.js';
import type { KeyValue } from './arguments.js';
import { CommandProblem } from './problem.js';

export type Attribute = Schemas['Attribute'];

export interface Definitions {
  /** Those whose values the caller may see and change. */
  readonly visible: readonly Attribute[];
  /** The others, which are sensitive. */
  readonly hidden: readonly Attribute[];
}

export async function loadDefinitions(rollcall: Rollcall): Promise<Definitions> {
  const all = (await rollcall.call('listAttributes')).body.data.items;
  if (!all.some(({ isSensitive }) => isSensitive)) return { visible: all, hidden: [] };
  const { scopes } = (await rollcall.call('getMe')).body.data;
  const isVisible = ({ isSensitive }: Attribute) => !isSensitive || scopes.includes('attributes:sensitive');
  return { visible: all.filter(isVisible), hidden: all.filter((attribute) => !isVisible(attribute)) };
}

/** Reads the values of `--attribute key=value` by the types of the attributes. An empty text means none. */
export async function readAttributes(
  rollcall: Rollcall,
  given: readonly KeyValue[],
  option: string,
): Promise<Record<string, AttributeValue | null>> {
  if (given.length === 0) return {};
  const { items } = (await rollcall.call('listAttributes')).body.data;
  const keys = items.map(({ key }) => key);
  return Object.fromEntries(
    given.map(({ key, text }) => {
      const attribute = items.find((each) => each.key === key);
      if (!attribute) throw unknownAttribute(`${option} ${key}`, key, keys);
      if (text.trim() === '') return [key, null];
      const value = parseAttribute(attribute, text.trim(), true);
      if (value !== undefined && value !== '') return [key, value];
      throw new CommandProblem('wrongUse', `${option} ${key}: must be ${attributeRule(attribute)}.`);
    }),
  );
}

export function unknownAttribute(option: string, key: string, keys: readonly string[]): CommandProblem {
  const meant = nearest(key, keys);
  const next =
    keys.length === 0
      ? 'None is defined yet.'
      : meant === undefined
        ? 'To see them: rollcall attributes list'
        : `Did you mean ${meant}?`;
  return new CommandProblem('wrongUse', `${option}: there is no such attribute. ${next}`);
}
