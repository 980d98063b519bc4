import type { Rollcall } from '#client';
import type { PlannedCall } from '../planning/planned-call.js';

/** The calls of a sync that were planned, oldest first, including those of the run that it resumes. */
export async function plannedCallsOf(rollcall: Rollcall, requestId: string): Promise<PlannedCall[]> {
  const planned: PlannedCall[] = [];
  for await (const { id, plan } of rollcall.each('listCalls', { query: { requestId, limit: 200 } })) {
    if (plan) planned.unshift({ id, plan });
  }
  return planned;
}
