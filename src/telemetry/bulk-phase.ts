import { type BulkPhase, type Metrics, secondsSince } from './metrics.js';
import { currentTracer, traced } from './tracing.js';

/** Times and traces a phase of a bulk call. */
export async function bulkPhase<T>(
  metrics: Metrics | undefined,
  phase: BulkPhase,
  work: () => Promise<T> | T,
): Promise<T> {
  if (!metrics && !currentTracer()) return work();
  const start = performance.now();
  try {
    return await traced({ name: `bulk ${phase}` }, async () => work());
  } finally {
    metrics?.bulkPhase(phase, secondsSince(start));
  }
}
