import type { StoredFinding } from '../../storage/feeds/feed-runs.js';

/**
 * Ends a run for a reason that somebody can do something about. Texts and data end up in emails and chats, so they contain
 * counts, rows and settings, but nothing that is written in the file.
 */
export class FeedFailed extends Error {
  override readonly name = 'FeedFailed';
  readonly problem: StoredFinding;

  constructor(code: string, text: string, data: object = {}) {
    super(text);
    this.problem = { code, text, ...data };
  }
}

/** Ends the work of this node on a run: somebody has cancelled it, another node has it, or this one stops. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';
  readonly why: 'cancelled' | 'lost' | 'stopping';

  constructor(why: RunEnded['why']) {
    super(`the run ends here: ${why}`);
    this.why = why;
  }
}
