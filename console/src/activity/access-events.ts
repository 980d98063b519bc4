import { activityCopy, commonCopy, sessionCopy, userCopy } from '../copy/copy.js';

/** Attempts that were turned down. */
export const refusals: ReadonlySet<string> = new Set([
  'sign-in.failed',
  'sign-in.delayed',
  'factor.failed',
  'token.refused',
  'request.forbidden',
]);

interface Event {
  readonly kind: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

type Kind = keyof typeof activityCopy.signIns.kind;

/** By the first part of their names. */
const groups: Readonly<Record<keyof typeof activityCopy.signIns.groups, readonly string[]>> = {
  signIns: ['sign-in', 'sign-out', 'sessions', 'identity', 'request'],
  passwords: ['password', 'factor', 'factors', 'recovery-codes', 'recovery-code', 'delivery', 'deliveries'],
  users: ['role', 'user', 'name', 'names', 'attribute', 'backup'],
  feeds: ['feed'],
  programs: ['client', 'token', 'application', 'webhook', 'scim-target', 'provider', 'keys'],
};

/** All kinds of events, in groups. */
export function eventChoices() {
  const { kind: kinds, groups: names } = activityCopy.signIns;
  return Object.entries(groups).map(([group, parts]) => ({
    group: names[group as keyof typeof groups],
    items: (Object.keys(kinds) as Kind[])
      .filter((kind) => parts.includes(kind.split('.', 1)[0] ?? ''))
      .map((kind) => ({ value: kind, label: kinds[kind] })),
  }));
}

export interface LoggedEvent extends Event {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string } | null;
  readonly userSerial: string | null;
  readonly clientId: string | null;
  readonly address: string | null;
}

/** An event that happened several times in a row. */
export type Repeated<E extends LoggedEvent> = E & { readonly times: number; readonly firstAt: string };

/** Joins events that read alike and follow each other on the same day, newest first. */
export function withoutRepeats<E extends LoggedEvent>(events: readonly E[]): Repeated<E>[] {
  const found: Repeated<E>[] = [];
  for (const event of events) {
    const last = found.at(-1);
    if (last && reading(last) === reading(event)) {
      found[found.length - 1] = { ...last, times: last.times + 1, firstAt: event.at };
    } else found.push({ ...event, times: 1, firstAt: event.at });
  }
  return found;
}

function reading(event: LoggedEvent): string {
  const { kind, at, actor, userSerial, clientId, address, detail } = event;
  const day = new Date(at).toDateString();
  return JSON.stringify([kind, day, actor, userSerial, clientId, address, detail.feed, eventDetail(event)]);
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
