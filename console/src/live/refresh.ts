import { queryClient } from '../session/api.js';
import { type Happened, type HappenedEvent, isStale, mayBeStale, nothing, withEvent } from './stale-data.js';

/** The first change is shown at once. While more follow, as during an import, the page is refreshed less often. */
const firstMs = 100;
const nextMs = 2_000;

let pending: Happened = nothing;
let timer: ReturnType<typeof setTimeout> | undefined;
let refreshedAtMs = 0;

export function refreshAfter(event: HappenedEvent): void {
  pending = withEvent(pending, event);
  if (timer !== undefined) return;
  const sinceMs = Date.now() - refreshedAtMs;
  timer = setTimeout(refresh, Math.max(firstMs, nextMs - sinceMs));
}

function refresh(): void {
  const happened = pending;
  pending = nothing;
  timer = undefined;
  refreshedAtMs = Date.now();
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isStale(happened, queryKey) });
}

/** After a time in which changes may have been missed. */
export function refreshEverything(): void {
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => mayBeStale(queryKey) });
}
