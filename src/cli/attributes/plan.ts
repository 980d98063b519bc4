import { attributeLimits } from '../../contract/limits.js';
import type { Attribute } from '../attribute-definitions.js';
import type { FileProblem } from '../described-list.js';
import type { DescribedAttribute } from './read-file.js';
import type { SettingName } from './settings.js';

/** What a file changes about the attributes that are defined. */
export interface AttributePlan {
  readonly steps: readonly AttributeStep[];
  readonly unchanged: number;
  /** The keys of attributes that the file doesn't describe. */
  readonly notInFile: readonly string[];
}

export type AttributeStep = (Create | Change) & { readonly described: DescribedAttribute };

interface Create {
  readonly kind: 'create';
  readonly type: Attribute['type'];
}

interface Change {
  readonly kind: 'change';
  readonly changes: readonly SettingChange[];
}

export interface SettingChange {
  readonly name: SettingName;
  readonly before: unknown;
  readonly after: unknown;
}

/** Compares a file with the attributes that are defined. Types and keys cannot be changed by it. */
export function planAttributes(
  described: readonly DescribedAttribute[],
  defined: readonly Attribute[],
): AttributePlan | { readonly problems: readonly FileProblem[] } {
  const problems: FileProblem[] = [];
  const steps: AttributeStep[] = [];
  let unchanged = 0;
  for (const each of described) {
    const { key, type, line } = each;
    const existing = defined.find((other) => other.key.toLowerCase() === key.toLowerCase());
    if (!existing) {
      if (type === undefined) problems.push({ line, text: `"${key}" is new, so it needs a type.` });
      else steps.push({ kind: 'create', described: each, type: type as Attribute['type'] }); // read as one
      continue;
    }
    if (existing.key !== key) {
      problems.push({ line, text: `"${key}" is defined as "${existing.key}". Use that key.` });
    } else if (type !== undefined && type !== existing.type) {
      problems.push({
        line,
        text: `"${key}" is of the type ${existing.type}, which cannot be changed to ${type}. Define another attribute instead.`,
      });
    }
    const changes = changesOf(each, existing);
    if (changes.length > 0) steps.push({ kind: 'change', described: each, changes });
    else unchanged++;
  }
  const { attributesMax } = attributeLimits;
  const created = steps.filter(({ kind }) => kind === 'create');
  const surplus = created[Math.max(0, attributesMax - defined.length)];
  if (surplus) {
    const { key, line } = surplus.described;
    const total = defined.length + created.length;
    problems.push({
      line,
      text: `"${key}" is one too many. There can be at most ${attributesMax} attributes, and with this file there would be ${total}. Delete some first.`,
    });
  }
  if (problems.length > 0) return { problems };
  const keys = new Set(described.map(({ key }) => key));
  return { steps, unchanged, notInFile: defined.map(({ key }) => key).filter((key) => !keys.has(key)) };
}

function changesOf({ settings }: DescribedAttribute, existing: Attribute): SettingChange[] {
  return [...settings].flatMap(([name, after]) => {
    const before = existing[name];
    return comparable(before) === comparable(after) ? [] : [{ name, before, after }];
  });
}

/** Null resets a setting, also to an empty list or to false; labels have no order. */
function comparable(value: unknown): string {
  if (value === null || value === false) return '';
  if (Array.isArray(value)) return value.length === 0 ? '' : JSON.stringify(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value as object).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.length === 0 ? '' : JSON.stringify(entries);
}
