import type { FieldName, Mapping } from '@rollcall/sheets';

/** The field that a column goes into. */
export function fieldOf(mapping: Mapping, column: number): FieldName | undefined {
  return (Object.keys(mapping) as FieldName[]).find((field) => mapping[field]?.includes(column));
}

/** A column goes into one field at most; a field that has a column already gets one more, which only a name can have. */
export function withField(mapping: Mapping, column: number, field: FieldName | undefined): Mapping {
  const entries = (Object.entries(mapping) as [FieldName, readonly number[]][])
    .map(([name, columns]) => [name, columns.filter((other) => other !== column)] as const)
    .filter(([, columns]) => columns.length > 0);
  const rest: Mapping = Object.fromEntries(entries);
  return field === undefined ? rest : { ...rest, [field]: [...(rest[field] ?? []), column] };
}

/** The parts of a name in the other order. */
export function withNameTurned(mapping: Mapping): Mapping {
  return { ...mapping, name: [...(mapping.name ?? [])].reverse() };
}

/** The columns that go into some field, in the order of the file. */
export function mappedColumns(mapping: Mapping): number[] {
  return Object.values(mapping)
    .flatMap((columns) => columns ?? [])
    .sort((a, b) => a - b);
}

/** A password is not for whoever looks over a shoulder. */
export function shownText(mapping: Mapping, column: number, text: string): string {
  return text !== '' && fieldOf(mapping, column) === 'password' ? '••••••••' : text;
}
