import { isMentioned, mayDeactivate, percentNeeded, presenceOf } from '@rollcall/sheets';
import type { Dependencies } from '../state/dependencies.js';
import type { MissingUser } from '../state/rows.js';
import type { ImportState } from '../state/state.js';
import type { ImportStore } from '../state/store.js';
import { countChecks } from '../state/verdicts.js';

/** Lists the active users and adds those who are not in the file as rows. */
export async function listMissing(
  store: ImportStore,
  signal: AbortSignal,
  { calls }: Dependencies,
): Promise<void> {
  const { check, missing: options } = store.getState();
  const survey = check?.survey;
  if (!survey) return;
  const unreadable = survey.unreadable.count;
  const listed = (seen: number) => ({ seen, users: undefined, unreadable, spared: 0 });
  store.dispatch({ type: 'usersListed', active: listed(0), missing: [] });
  const users: MissingUser[] = [];
  for await (const page of calls.activeUsers(signal)) {
    if (signal.aborted) return;
    for (const user of page) users.push(user);
    store.dispatch({ type: 'usersListed', active: listed(users.length), missing: [] });
  }
  const { includesRoles } = options;
  const roleHolders = includesRoles ? new Set() : await calls.roleHolders(signal);
  const rules = {
    includesRoles,
    hasRole: ({ employeeID }: MissingUser) => roleHolders.has(employeeID),
    isPresent: ({ employeeID }: MissingUser) => isMentioned(survey, employeeID),
  };
  const listedAs = (presence: string) =>
    unreadable > 0 ? [] : users.filter((user) => presenceOf(user, rules) === presence);
  const missing = listedAs('missing');
  const spared = listedAs('spared').length;
  store.dispatch({ type: 'usersListed', active: { ...listed(users.length), users, spared }, missing });
}

/** Whether the missing users may be deactivated. */
export type MissingGuard =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable'; readonly rows: number }
  | {
      readonly kind: 'allowed' | 'tooMany';
      readonly missing: number;
      readonly active: number;
      readonly percentMax: number;
      /** The lowest percentage that allows them. */
      readonly percentNeeded: number;
    };

export function missingGuard({ missing: options, check, rows }: ImportState): MissingGuard {
  if (!options.isOn || !rows || check?.active?.users === undefined) return { kind: 'none' };
  const { unreadable, seen: active } = check.active;
  if (unreadable > 0) return { kind: 'unreadable', rows: unreadable };
  const { missing } = countChecks(rows);
  if (missing === 0) return { kind: 'none' };
  const { percentMax } = options;
  const kind = mayDeactivate(missing, active, { percent: percentMax }) ? 'allowed' : 'tooMany';
  return { kind, missing, active, percentMax, percentNeeded: percentNeeded(missing, active) };
}
