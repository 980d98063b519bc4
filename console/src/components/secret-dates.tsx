import type { Schemas } from '@rollcall/client';
import { activityCopy } from '../copy/copy.js';
import { formatDateTime } from '../copy/format.js';

const copy = activityCopy.secrets;

export function SecretDates({ secrets }: { secrets: Schemas['Client']['secrets'] }) {
  if (secrets.length === 0) return copy.none;
  return secrets.map(({ createdAt, expiresAt }) => (
    <div key={createdAt}>
      {expiresAt === null
        ? copy.created(formatDateTime(createdAt))
        : copy.expires(formatDateTime(createdAt), formatDateTime(expiresAt))}
    </div>
  ));
}
