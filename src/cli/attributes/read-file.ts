import { createAttributeFields, patchAttributeFields } from '../../contract/attributes.js';
import { type FileProblem, readDescribedList } from '../described-list.js';
import type { SettingName } from './settings.js';

/** An attribute as a file describes it. Null resets a setting. */
export interface DescribedAttribute {
  readonly key: string;
  readonly type: string | undefined;
  readonly settings: ReadonlyMap<SettingName, unknown>;
  readonly line: number;
}

export type ReadFile =
  | { readonly ok: true; readonly attributes: readonly DescribedAttribute[] }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

/** Reads `attributes: [{ key, type, … }]`, with a line number for everything that is wrong. */
export function readAttributeFile(text: string): ReadFile {
  const read = readDescribedList<SettingName | 'type'>(text, {
    name: 'attributes',
    entryRule: 'An attribute must be an object with a key and a type.',
    command: 'rollcall attributes apply',
    uses: { ...createAttributeFields, ...patchAttributeFields },
  });
  if (!read.ok) return read;
  const attributes = read.entries.map(({ settings, ...entry }) => {
    const { type, ...others } = Object.fromEntries(settings);
    return {
      ...entry,
      type: typeof type === 'string' ? type : undefined,
      settings: new Map(Object.entries(others)) as ReadonlyMap<SettingName, unknown>, // without the type
    };
  });
  return { ok: true, attributes };
}
