import type { Schemas } from '@rollcall/client';
import { targetsCopy as copy } from '../copy/on-demand-copy.js';

export type Target = Schemas['ScimTarget'];
export type TargetVerb = 'pause' | 'resume' | 'sync' | 'compare' | 'repair' | 'remove';

export type TargetAction =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'differences' | 'failures' | TargetVerb; readonly target: Target };

export type Health = keyof typeof copy.health;

export function healthOf({ isPaused, pausedBecause, failingSince, isSyncing, queued }: Target): Health {
  if (isPaused) return pausedBecause === null ? 'paused' : 'stopped';
  if (failingSince !== null) return 'failing';
  if (isSyncing) return 'syncing';
  return queued > 0 ? 'pushing' : 'good';
}

export function errorText(error: keyof typeof copy.errors, status: number | null): string {
  return status === null ? copy.errors[error] : copy.withStatus(copy.errors[error], status);
}

export function comparisonText(comparison: Target['comparison']): string {
  if (comparison === null) return copy.notCompared;
  const { endedAt, error, compared, total, missing, extra, different } = comparison;
  if (endedAt === null) return copy.comparing(compared, total);
  return error === null ? copy.compared(missing, extra, different) : copy.compareFailed(copy.errors[error]);
}
