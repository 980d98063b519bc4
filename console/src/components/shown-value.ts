interface Words {
  readonly yes: string;
  readonly no: string;
  readonly none: string;
}

/** A value of a field as a person reads it. */
export function shownValue(value: unknown, words: Words): string {
  if (value === null || value === undefined || value === '') return words.none;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (Array.isArray(value)) return value.length === 0 ? words.none : value.map(String).join(', ');
  return String(value);
}
