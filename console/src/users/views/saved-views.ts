import type { SavedView } from './use-views.js';

export interface SavedViews {
  readonly own: readonly SavedView[];
  readonly shared: readonly SavedView[];
}

export function groupedViews(views: readonly SavedView[]): SavedViews {
  const inOrder = views.toSorted((a, b) => a.name.localeCompare(b.name));
  return {
    own: inOrder.filter(({ isShared }) => !isShared),
    shared: inOrder.filter(({ isShared }) => isShared),
  };
}

/** Names differ among own views and among shared ones, whatever their case. */
export function viewNamed(views: readonly SavedView[], name: string): SavedView | undefined {
  return views.find((view) => view.name.toLowerCase() === name.trim().toLowerCase());
}

export function mayChange(
  { author }: Pick<SavedView, 'author'>,
  user: { readonly serial: string; readonly scopes: readonly string[] },
): boolean {
  return author?.serial === user.serial || user.scopes.includes('access:admin');
}
