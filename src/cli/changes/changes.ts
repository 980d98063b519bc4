import { CommandProblem } from '../problem.js';
import { type FollowOptions, followChanges } from './follow-changes.js';
import { type ListChangesOptions, listChanges } from './list-changes.js';

export type ChangesOptions = ListChangesOptions & FollowOptions & { readonly follow?: boolean | undefined };

/** `rollcall changes` */
export async function changes(options: ChangesOptions): Promise<void> {
  if (options.follow) return followChanges(options);
  if (options.after === undefined && options.types === undefined) return listChanges(options);
  throw new CommandProblem('wrongUse', '--after and --types require --follow.');
}
