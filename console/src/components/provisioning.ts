import type { Schemas } from '@rollcall/client';

/** Whether the next deactivation by a provider would be refused. */
export function isAtLimit({ deactivations: { used, limit } }: Schemas['Provider']): boolean {
  return limit !== null && used >= limit;
}

/** Whether something goes wrong at a SCIM target. */
export function needsPeople({ pausedBecause, failingSince, failed }: Schemas['ScimTarget']): boolean {
  return pausedBecause !== null || failingSince !== null || failed > 0;
}
