import { isRollcallError, type Schemas } from '@rollcall/client';

export type MatchingReport = Schemas['MatchingUpdateReport']['data'];

export interface MatchingOptions {
  readonly dryRun?: true;
  readonly effects?: true;
  readonly confirm?: number;
  /** A day. */
  readonly effectiveAt?: string;
  readonly approval?: 'required';
  /** Kept with the call. */
  readonly note?: string;
  readonly signal?: AbortSignal;
}

export interface MatchingResult {
  readonly report: MatchingReport;
  /** Null for a preview. */
  readonly callId: string | null;
  /** The call awaits its time or approval: the report is a preview. */
  readonly isPlanned: boolean;
}

/** A bulk call that finds its users itself. */
export type MatchingCall = (options: MatchingOptions) => Promise<MatchingResult>;

interface Reply {
  readonly status: number;
  readonly body: { readonly data: MatchingReport };
  readonly headers: Headers;
}

export function matchingResult({ status, body, headers }: Reply): MatchingResult {
  return { report: body.data, callId: headers.get('x-call-id'), isPlanned: status === 202 };
}

export interface MatchingCounts {
  /** How many users to confirm: all who match, whatever happens to them. */
  readonly matched: number;
  readonly changed: number;
  /** Users who already are as they should be. */
  readonly unchanged: number;
  readonly failed: number;
}

export function countMatching({ successItems, failedItems }: MatchingReport): MatchingCounts {
  const unchanged = successItems.filter(({ effect }) => effect?.kind === 'unchanged').length;
  return {
    matched: successItems.length + failedItems.length,
    changed: successItems.length - unchanged,
    unchanged,
    failed: failedItems.length,
  };
}

/** The number of users who match has changed since it was confirmed. */
export function isUnconfirmed(error: unknown): boolean {
  return isRollcallError(error, 'CALL_CONFIRMATION_REQUIRED');
}
