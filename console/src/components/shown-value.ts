interface Words {
  readonly yes: string;
  readonly no: string;
  readonly none: string;
}

/** A value of a field as a person reads it. */
export function shownValue(value: unknown, copy: Words): string {
  if (value === null || value === undefined || value === '') return copy.none;
  if (typeof value === 'boolean') return value ? copy.yes : copy.no;
  if (Array.isArray(value)) return value.length === 0 ? copy.none : value.map(String).join(', ');
  return String(value);
}
