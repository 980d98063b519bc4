interface Change {
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The newest change of a field. Changes are newest first. */
export function latestChangeOf<C extends Change>(changes: readonly C[], field: string): C | undefined {
  return changes.find(({ fields }) => Object.hasOwn(fields, field));
}
