/** A list of users under a name. The query string contains everything. */
export interface SavedView {
  readonly name: string;
  readonly query: string;
}

export const viewNameMaxLength = 60;

/** Ignores what is not a list of views. */
export function readViews(text: string | null): SavedView[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView).map(({ name, query }) => ({ name, query })) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  const { name, query } = value as Partial<SavedView>;
  return typeof name === 'string' && name.trim() !== '' && typeof query === 'string';
}

/** Replaces the view of this name, whatever its case. */
export function saveView(views: readonly SavedView[], saved: SavedView): SavedView[] {
  const view = { ...saved, name: saved.name.trim() };
  return inOrder([...views.filter(({ name }) => !isSameName(name, view.name)), view]);
}

export function renameView(views: readonly SavedView[], from: string, to: string): SavedView[] {
  const view = views.find(({ name }) => name === from);
  if (!view || to.trim() === '') return [...views];
  return saveView(removeView(views, from), { ...view, name: to });
}

export function removeView(views: readonly SavedView[], removed: string): SavedView[] {
  return views.filter(({ name }) => name !== removed);
}

export function viewNamed(views: readonly SavedView[], name: string): SavedView | undefined {
  return views.find((view) => isSameName(view.name, name.trim()));
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function inOrder(views: readonly SavedView[]): SavedView[] {
  return views.toSorted((a, b) => a.name.localeCompare(b.name));
}
