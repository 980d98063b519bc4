import type { MatchingCall } from './matching-call.js';
import type { MatchingPlan } from './matching-plan.js';

/** What to preview and confirm. */
export interface MatchingRequest {
  /** Identifies the request, for the cache. */
  readonly key: readonly unknown[];
  readonly call: MatchingCall;
  /** In a sentence. */
  readonly summary: string;
  /** Whether the summary is kept with the call, and a note can be added. */
  readonly isNoted?: boolean;
  /** Which users it is about, in words. */
  readonly filters?: readonly string[];
  /** The same for users who were not found by filters. */
  readonly who?: string;
  /** What to know before. */
  readonly warning?: string | undefined;
  readonly confirm: (count: number) => string;
  /** What will be and was done, if there is a better word than “change”. */
  readonly willChange?: (count: number) => string;
  readonly changed?: (count: number) => string;
  /** Undefined to make the change now. */
  readonly plan?: MatchingPlan | undefined;
  /** The number must be typed. */
  readonly isTyped?: boolean;
  /** What was done if there were no users. Without it, there is nothing to do then. */
  readonly doneWithoutUsers?: string;
  /** What to know afterwards. */
  readonly doneNote?: string;
}
