import { limits, type Schemas } from '@rollcall/client';
import type { Attribute, AttributeType } from '../components/attribute-value.js';
import type { Language } from '../copy/language.js';

/** The values of the form, exactly as typed. */
export interface AttributeDraft {
  readonly key: string;
  readonly type: AttributeType;
  readonly labels: Readonly<Partial<Record<Language, string>>>;
  readonly synonyms: readonly string[];
  readonly choices: readonly string[];
  readonly maxLength: number | string;
  readonly pattern: string;
  readonly minimum: number | string;
  readonly maximum: number | string;
  readonly flags: readonly Flag[];
}

export const flags = ['isFilterable', 'isSearchable', 'isUnique', 'isSensitive', 'isEditableByUser'] as const;
export type Flag = (typeof flags)[number];

export const newAttribute: AttributeDraft = {
  ...{ key: '', type: 'text', labels: {}, synonyms: [], choices: [] },
  ...{ maxLength: '', pattern: '', minimum: '', maximum: '', flags: ['isFilterable'] },
};

export function draftOf(attribute: Attribute): AttributeDraft {
  const { key, type, labels, synonyms, choices, maxLength, pattern, minimum, maximum } = attribute;
  return {
    ...{ key, type, labels, synonyms },
    choices: choices ?? [],
    maxLength: maxLength ?? '',
    pattern: pattern ?? '',
    minimum: minimum ?? '',
    maximum: maximum ?? '',
    flags: flags.filter((flag) => attribute[flag]),
  };
}

type Limit = 'maxLength' | 'pattern' | 'minimum' | 'maximum' | 'choices';

const limitsOfType: Readonly<Record<AttributeType, readonly Limit[]>> = {
  text: ['maxLength', 'pattern'],
  number: ['minimum', 'maximum'],
  date: ['minimum', 'maximum'],
  boolean: [],
  choice: ['choices'],
  list: ['maxLength'],
};

export function hasLimit(type: AttributeType, limit: Limit): boolean {
  return limitsOfType[type].includes(limit);
}

/** Lists and answers are never unique, and a search would reveal what is sensitive. */
export function canHave({ type, flags: set }: AttributeDraft, flag: Flag): boolean {
  if (flag === 'isUnique') return type === 'text' || type === 'number' || type === 'date';
  return flag !== 'isSearchable' || !set.includes('isSensitive');
}

/** What to send. An empty limit is none. */
export function settingsOf(draft: AttributeDraft) {
  const { key, type, synonyms, choices } = draft;
  const labels = Object.entries(draft.labels).map(([language, label]) => [language, label.trim()]);
  const limit = <T>(name: Limit, value: T | '') =>
    hasLimit(type, name) ? { [name]: value === '' ? null : value } : {};
  return {
    key: key.trim(),
    labels: Object.fromEntries(labels.filter(([, label]) => label !== '')) as Schemas['Attribute']['labels'],
    synonyms: [...synonyms],
    ...limit('maxLength', draft.maxLength),
    ...limit('pattern', draft.pattern),
    ...limit('minimum', draft.minimum),
    ...limit('maximum', draft.maximum),
    ...(type === 'choice' && { choices: [...choices] }),
    ...Object.fromEntries(flags.map((flag) => [flag, draft.flags.includes(flag) && canHave(draft, flag)])),
  } satisfies Schemas['PatchAttribute'];
}

export type DraftProblem = 'key' | 'choices' | 'minimum' | 'maximum' | 'reversed';

const keyForm = /^[a-z][A-Za-z0-9]*$/;

/** What the service would refuse, except for patterns. */
export function problemsOf({ key, type, choices, minimum, maximum }: AttributeDraft): DraftProblem[] {
  const isBound = (bound: number | string) =>
    bound === '' || typeof bound === (type === 'number' ? 'number' : 'string');
  const hasBounds = hasLimit(type, 'minimum');
  const found: [DraftProblem, boolean][] = [
    ['key', !keyForm.test(key.trim()) || key.trim().length > limits.attributeKeyMaxLength],
    ['choices', type === 'choice' && choices.length === 0],
    ['minimum', hasBounds && !isBound(minimum)],
    ['maximum', hasBounds && !isBound(maximum)],
    ['reversed', hasBounds && minimum !== '' && maximum !== '' && maximum < minimum],
  ];
  return found.filter(([, isFound]) => isFound).map(([problem]) => problem);
}

/** `End of contract` becomes `endOfContract`. Empty if the label has no letters from a to z. */
export function keyFromLabel(label: string): string {
  const plain = label.replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '');
  const [first = '', ...others] = plain.match(/[A-Za-z][A-Za-z0-9]*/g) ?? [];
  const rest = others.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
  return [first.toLowerCase(), ...rest].join('').slice(0, limits.attributeKeyMaxLength);
}
