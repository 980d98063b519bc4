import { limits } from '@rollcall/client';
import type { ListedUser } from '../data/user.js';

/** The users ticked in the list, or everyone in it. */
export type Selection =
  | { readonly kind: 'some'; readonly users: ReadonlyMap<string, ListedUser> }
  | { readonly kind: 'all' };

/** The selection and what changes it. */
export interface UserSelection {
  readonly current: Selection;
  /** Everyone in the list is selected, as far as is known. */
  readonly isWholeList: boolean;
  /** More users were ticked than can be selected one by one. */
  readonly isTooMany: boolean;
  readonly error: unknown;
  /** Ticks or unticks a row; with the shift key, all rows since the last one. */
  readonly toggle: (row: number, user: ListedUser, isRange: boolean) => void;
  readonly selectAll: (total: number | undefined) => void;
  readonly clear: () => void;
}

export const nobody: Selection = { kind: 'some', users: new Map() };
export const everyone: Selection = { kind: 'all' };

export const selectedMax: number = limits.selectedUsersMax;

export function isSelected(selection: Selection, serial: string): boolean {
  return selection.kind === 'all' || selection.users.has(serial);
}

/** Undefined if everyone is selected. */
export function selectedUsers(selection: Selection): readonly ListedUser[] | undefined {
  return selection.kind === 'all' ? undefined : [...selection.users.values()];
}

export function isEmptySelection(selection: Selection): boolean {
  return selection.kind === 'some' && selection.users.size === 0;
}

/** Adds or removes users. */
export function withUsers(
  selection: Selection,
  changed: readonly ListedUser[],
  isAdded: boolean,
): Selection | 'tooMany' {
  if (selection.kind === 'all') return selection;
  const users = new Map(selection.users);
  for (const user of changed) {
    if (isAdded) users.set(user.serial, user);
    else users.delete(user.serial);
  }
  return users.size > selectedMax ? 'tooMany' : { kind: 'some', users };
}

/** The rows of a click with the shift key: from the last one that was ticked to this one. */
export function rowRange(anchor: number | undefined, row: number): { first: number; last: number } {
  if (anchor === undefined) return { first: row, last: row };
  return { first: Math.min(anchor, row), last: Math.max(anchor, row) };
}

export type HeadState = 'none' | 'some' | 'all';

/** What the checkbox in the heading shows. */
export function headState(selection: Selection, isWholeList: boolean): HeadState {
  if (selection.kind === 'all' || isWholeList) return 'all';
  return selection.users.size === 0 ? 'none' : 'some';
}
