import type { Feed, FeedHealth, Run } from '../components/feeds.js';
import type { StateColor } from '../components/state-badge.js';
import { feedsCopy } from '../copy/on-demand-copy.js';

/** It does something, or is about to. */
export function isUnderWay({ state }: Pick<Run, 'state'>): boolean {
  return state === 'queued' || state === 'running' || state === 'undoing';
}

/** Its counts say what it would do, not what it did. */
export function isOnlyPlanned({
  state,
  phase,
  isDryRun,
}: Pick<Run, 'state' | 'phase' | 'isDryRun'>): boolean {
  return isDryRun || state === 'waiting' || state === 'stopped' || (state !== 'done' && phase !== 'apply');
}

export function tense(run: Run): 'did' | 'would' {
  return isOnlyPlanned(run) ? 'would' : 'did';
}

/** Whether it may have changed users. */
export function isUndoable(run: Run): boolean {
  return !isOnlyPlanned(run) && ['done', 'failed', 'cancelled'].includes(run.state) && changesOf(run) > 0;
}

/** How many users it has changed. For previews, and as long as it has not been decided, how many it would change. */
export function resultOf(run: Run): { readonly changes: number; readonly isPlanned: boolean } {
  if (!isOnlyPlanned(run)) return { changes: changesOf(run), isPlanned: false };
  const isPlanned = run.isDryRun || run.state === 'waiting' || isUnderWay(run);
  return { changes: isPlanned ? changesOf(run) : 0, isPlanned };
}

const changeKinds = ['created', 'rehired', 'updated', 'renamed', 'deactivated', 'reactivated'] as const;

export function changesOf({ counts }: Pick<Run, 'counts'>): number {
  return changeKinds.reduce((sum, kind) => sum + counts[kind], 0);
}

export const runColors: Readonly<Record<Run['state'], StateColor>> = {
  queued: 'blue',
  running: 'blue',
  waiting: 'yellow',
  done: 'green',
  unchanged: 'gray',
  failed: 'red',
  stopped: 'red',
  cancelled: 'gray',
  superseded: 'gray',
  undoing: 'blue',
  undone: 'gray',
};

export const healthColors: Readonly<Record<FeedHealth, StateColor>> = {
  waiting: 'yellow',
  running: 'blue',
  paused: 'gray',
  failed: 'red',
  late: 'red',
  ready: 'green',
};

/** Where the file comes from, without credentials. */
export function sourceText(source: Feed['source']): string {
  const copy = feedsCopy.source;
  switch (source.type) {
    case 'https':
      return copy.https(hostOf(source.url));
    case 'sftp':
      return copy.sftp(source.host);
    case 's3':
      return copy.s3(source.bucket);
    case 'folder':
      return copy.folder(source.path);
    case 'upload':
      return copy.upload;
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** As many runs as a chart shows. */
export const comparedMax = 30;

/** Runs that read a file to its end and were not rejected, oldest first. */
export function comparable(newestFirst: readonly Run[]): Run[] {
  const states = ['done', 'waiting', 'stopped', 'running'];
  return newestFirst
    .filter(({ state, rows }) => states.includes(state) && rows !== null)
    .slice(0, comparedMax)
    .reverse();
}
