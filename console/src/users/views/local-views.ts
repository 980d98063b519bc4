/** A view that was saved when views were kept in the browser. */
export interface LocalView {
  readonly name: string;
  readonly query: string;
}

/** Ignores what is not a list of views. */
export function readLocalViews(text: string | null): LocalView[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView).map(({ name, query }) => ({ name, query })) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is LocalView {
  if (typeof value !== 'object' || value === null) return false;
  const { name, query } = value as Partial<LocalView>;
  return typeof name === 'string' && name.trim() !== '' && typeof query === 'string' && query !== '';
}
