import { limits, type Schemas } from '@rollcall/client';
import { guessAttribute, textForms } from '@rollcall/sheets';
import { type Language, language } from '../copy/language.js';
import type { Attribute, AttributeType } from './attribute-value.js';

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
    synonyms: synonyms.filter((synonym) => !labels.some(([, label]) => label === synonym)),
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

/** The key follows the label until it is edited. */
export function keyFromLabel(label: string): string {
  return label.trim() === '' ? '' : guessAttribute(label, []).key;
}

/** More cells say nothing more about the type. */
const cellsRead = 1_000;

/** A definition for a column of a file, which is found again by its heading. Its values are the choices, if it gets any. */
export function draftFor(
  heading: string,
  cells: readonly string[],
  takenKeys: readonly string[],
): AttributeDraft {
  const { key, type, ...guessed } = guessAttribute(heading, cells.slice(0, cellsRead), takenKeys);
  const label = guessed.label.slice(0, limits.labelMaxLength);
  const texts = [...new Set(cells.map((cell) => textForms.line(cell)))].filter((text) => text !== '');
  const choices = texts.length <= limits.attributeChoicesMax ? texts : [];
  return { ...newAttribute, key, type, labels: { [language]: label }, synonyms: [label], choices };
}
