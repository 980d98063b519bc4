import type { Schemas } from '@rollcall/client';

type Call = Pick<
  Schemas['Call'],
  'id' | 'kind' | 'actor' | 'source' | 'requestId' | 'startedAt' | 'failed' | 'undoneBy'
>;

/** A program's calls that belong together, such as those of a nightly sync. */
export interface FailedSync<C extends Call = Call> {
  /** The newest of those with failed rows. */
  readonly call: C;
  readonly failed: number;
}

/** Calls that begin within this time of each other belong to the same sync. */
const pauseMaxMs = 60 * 60_000;

/**
 * The last sync of each program and file, if rows of it failed. People see at once what became of their own files, and
 * feeds have runs. Calls are newest first.
 */
export function failedSyncs<C extends Call>(calls: readonly C[], seen: readonly string[]): FailedSync<C>[] {
  const lastSyncs = new Map<string, C[]>();
  for (const call of calls) {
    if (call.actor === null || call.actor.kind === 'person' || call.actor.kind === 'feed') continue;
    const program = JSON.stringify([call.actor.kind, call.actor.id, call.source]);
    const sync = lastSyncs.get(program);
    if (!sync) lastSyncs.set(program, [call]);
    else if (isPartOf(sync, call)) sync.push(call);
  }
  return [...lastSyncs.values()].flatMap((sync) => {
    const failing = sync.filter(({ id, failed, undoneBy }) => failed > 0 && !undoneBy && !seen.includes(id));
    const [call] = failing;
    return call ? [{ call, failed: failing.reduce((sum, each) => sum + each.failed, 0) }] : [];
  });
}

function isPartOf(sync: readonly Call[], { requestId, startedAt }: Call): boolean {
  const last = sync.at(-1);
  if (!last) return false;
  const pauseMs = Date.parse(last.startedAt) - Date.parse(startedAt);
  return last.requestId === requestId || pauseMs < pauseMaxMs;
}
