import type { CallKind } from '../contract/enums.js';

export type BulkPhase = 'parse' | 'plan' | 'chunk' | 'report';

/** A chunk that lost a lock-free race is planned again with locks; one that met a conflict under locks is retried. */
type ChunkRetry = 'lost-race' | 'conflict';

export const signInOutcomes = ['succeeded', 'failed', 'expired', 'delayed', 'busy'] as const;

export type SignInOutcome = (typeof signInOutcomes)[number];

interface ServedRequest {
  /** The pattern, never the URL. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
}

/**
 * What a process counts and times. It is absent where metrics are off, so recording costs nothing then. Labels have few
 * values and never come from a caller.
 */
export interface Metrics {
  request(request: ServedRequest, seconds: number): void;
  bulkItems(operation: CallKind, items: { readonly succeeded: number; readonly failed: number }): void;
  bulkPhase(phase: BulkPhase, seconds: number): void;
  chunkRetry(reason: ChunkRetry): void;
  statement(statement: string, seconds: number): void;
  connectionWait(seconds: number): void;
  hashWait(seconds: number): void;
  signIn(outcome: SignInOutcome): void;
  message(outcome: 'sent' | 'retried' | 'parked'): void;
  webhookMessage(outcome: 'delivered' | 'failed'): void;
  scimPush(outcome: 'pushed' | 'failed'): void;
}

export function secondsSince(startMs: number): number {
  return (performance.now() - startMs) / 1_000;
}

/** The text format of Prometheus. */
export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';
