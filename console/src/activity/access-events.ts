import { activityCopy, commonCopy, sessionCopy, userCopy } from '../copy/copy.js';

/** Attempts that were turned down. */
export const refusals: ReadonlySet<string> = new Set([
  'sign-in.failed',
  'sign-in.delayed',
  'token.refused',
  'request.forbidden',
]);

interface Event {
  readonly kind: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Details beyond the kind of the event. */
export function eventDetail({ kind, detail }: Event): string | undefined {
  const copy = activityCopy.signIns;
  switch (kind) {
    case 'role.changed':
      return detail.cause === 'deactivated'
        ? userCopy.roles.former(roleIn(detail.before))
        : copy.role(roleIn(detail.before), roleIn(detail.after));
    case 'deliveries.released':
      return typeof detail.released === 'number' ? copy.released(detail.released) : undefined;
    case 'name.released':
      return textIn(detail.value);
    case 'token.refused':
      return withRepeated(copy.refusal[String(detail.reason)], detail);
    case 'sign-in.delayed':
      return withRepeated(undefined, detail);
    case 'request.forbidden':
      return withRepeated(`${copy.needed(scopeIn(detail.scope))} (${detail.method} ${detail.route})`, detail);
    case 'token.issued':
      return withRepeated(scopesIn(detail.scopes), detail);
    case 'client.created':
      return textIn(detail.name);
    case 'client.changed':
      return clientChange(detail);
    case 'webhook.created':
      return textIn(detail.host);
    case 'scim-target.created':
      return textIn(detail.name);
    case 'webhook.replayed':
      return typeof detail.fromSequence === 'number' ? copy.fromSequence(detail.fromSequence) : undefined;
    default:
      return undefined;
  }
}

function roleIn(value: unknown): string {
  return sessionCopy.role(typeof value === 'string' ? value : null);
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function scopeIn(value: unknown): string {
  const scope = String(value);
  return (activityCopy.scopes as Readonly<Record<string, string>>)[scope] ?? scope;
}

function scopesIn(value: unknown): string | undefined {
  return Array.isArray(value) ? value.map(scopeIn).join(', ') : undefined;
}

/** Frequent events are not all recorded; the last one has their count. */
function withRepeated(text: string | undefined, { repeated }: Event['detail']): string | undefined {
  if (typeof repeated !== 'number') return text;
  return [text, activityCopy.signIns.repeated(repeated)].filter(Boolean).join(', ');
}

function clientChange(detail: Event['detail']): string | undefined {
  const copy = activityCopy;
  const parts = Object.entries(detail).flatMap(([field, change]) => {
    const after = (change as { after?: unknown } | null)?.after;
    if (field === 'isActive') return [after === true ? copy.signIns.enabled : copy.signIns.disabled];
    if (field === 'name') return [`${commonCopy.fields.name}: ${String(after)}`];
    if (field === 'scopes' && Array.isArray(after)) return [scopesIn(after) ?? ''];
    return [];
  });
  return parts.length === 0 ? undefined : parts.join('; ');
}
