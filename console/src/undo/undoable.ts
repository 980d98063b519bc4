import type { Schemas } from '@rollcall/client';

type Call = Pick<Schemas['Call'], 'state' | 'changes' | 'undoneBy'>;

/** A call that was undone can't be undone again. To redo it, its undo is undone. */
export function isUndoable({ state, changes, undoneBy }: Call): boolean {
  return state !== 'running' && changes > 0 && undoneBy === null;
}
