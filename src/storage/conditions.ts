/** Joins the conditions whose value is defined. `?` stands for the value. */
export function whereAll(
  conditions: Readonly<Record<string, unknown>>,
  values: unknown[],
): { readonly where: string; readonly values: unknown[] } {
  const parts = ['true'];
  for (const [condition, value] of Object.entries(conditions)) {
    if (value === undefined) continue;
    values.push(value);
    parts.push(condition.replaceAll('?', `$${values.length}`));
  }
  return { where: parts.join(' AND '), values };
}
