import type { MatchingCall } from './matching-call.js';

/** What to preview and confirm. */
export interface MatchingRequest {
  /** Identifies the request, for the cache. */
  readonly key: readonly unknown[];
  readonly call: MatchingCall;
  /** In a sentence. */
  readonly summary: string;
  readonly confirm: (count: number) => string;
  /** The number must be typed. */
  readonly isTyped?: boolean;
  /** Makes sense without users, too. */
  readonly mayBeEmpty?: boolean;
  /** What to know afterwards. */
  readonly doneNote?: string;
}
