import type { Schemas } from '@rollcall/client';
import { activityCopy } from '../copy/activity.js';
import { formatDateTime } from '../copy/format.js';

const copy = activityCopy.clients;

/** When the secrets that work were made, and when they end. */
export function SecretDates({ secrets }: { secrets: Schemas['Client']['secrets'] }) {
  if (secrets.length === 0) return copy.noSecret;
  return secrets.map(({ createdAt, expiresAt }) => (
    <div key={createdAt}>
      {expiresAt === null
        ? copy.secretMade(formatDateTime(createdAt))
        : copy.secretEnds(formatDateTime(createdAt), formatDateTime(expiresAt))}
    </div>
  ));
}
