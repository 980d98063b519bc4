import type { MappedField, Mapping } from '@rollcall/sheets';

/** The field or attribute that a column maps to. */
export function fieldOf(mapping: Mapping, column: number): MappedField | undefined {
  return (Object.keys(mapping) as MappedField[]).find((field) => mapping[field]?.includes(column));
}

/** Maps a column to a field, in addition to the columns the field already has: first and last names come in two. */
export function withField(mapping: Mapping, column: number, field: MappedField | undefined): Mapping {
  const entries = (Object.entries(mapping) as [MappedField, readonly number[]][])
    .map(([name, columns]) => [name, columns.filter((other) => other !== column)] as const)
    .filter(([, columns]) => columns.length > 0);
  const rest: Mapping = Object.fromEntries(entries);
  return field === undefined ? rest : { ...rest, [field]: [...(rest[field] ?? []), column] };
}

export function withNameReversed(mapping: Mapping): Mapping {
  return { ...mapping, name: [...(mapping.name ?? [])].reverse() };
}

/** The mapped columns, in the order of the file. */
export function mappedColumns(mapping: Mapping): number[] {
  return Object.values(mapping)
    .flatMap((columns) => columns ?? [])
    .sort((a, b) => a - b);
}

/** Masks passwords. */
export function displayText(mapping: Mapping, column: number, text: string): string {
  return text !== '' && fieldOf(mapping, column) === 'password' ? '••••••••' : text;
}
