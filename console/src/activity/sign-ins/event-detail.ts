import { number } from '../../copy/format.js';
import { texts } from '../../copy/index.js';

interface Event {
  readonly kind: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What more there is to say of an event than its kind. */
export function eventDetail({ kind, detail }: Event): string | undefined {
  const words = texts.activity.signIns;
  switch (kind) {
    case 'role.changed':
      return detail.cause === 'deactivated'
        ? texts.person.roles.former(roleIn(detail.before))
        : words.role(roleIn(detail.before), roleIn(detail.after));
    case 'deliveries.released':
      return typeof detail.released === 'number' ? words.released(number(detail.released)) : undefined;
    case 'token.refused':
      return withRepeated(words.refusal[String(detail.reason)], detail);
    case 'sign-in.delayed':
      return withRepeated(undefined, detail);
    case 'request.forbidden':
      return withRepeated(`${detail.method} ${detail.route} (${detail.scope})`, detail);
    case 'token.issued':
      return withRepeated(textsIn(detail.scopes), detail);
    case 'client.created':
      return textIn(detail.name);
    case 'client.changed':
      return clientChange(detail);
    case 'webhook.created':
      return textIn(detail.host);
    case 'webhook.replayed':
      return typeof detail.fromSequence === 'number'
        ? words.fromSequence(number(detail.fromSequence))
        : undefined;
    default:
      return undefined;
  }
}

function roleIn(value: unknown): string {
  return texts.session.role(typeof value === 'string' ? value : null);
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function textsIn(value: unknown): string | undefined {
  return Array.isArray(value) ? value.join(', ') : undefined;
}

/** Events that come in large numbers are counted on the last one that was recorded. */
function withRepeated(text: string | undefined, { repeated }: Event['detail']): string | undefined {
  if (typeof repeated !== 'number') return text;
  return [text, texts.activity.signIns.repeated(number(repeated))].filter(Boolean).join(', ');
}

function clientChange(detail: Event['detail']): string | undefined {
  const words = texts.activity;
  const parts = Object.entries(detail).flatMap(([field, change]) => {
    const after = (change as { after?: unknown } | null)?.after;
    if (field === 'isActive') return [after === true ? words.signIns.enabled : words.signIns.disabled];
    if (field === 'name') return [`${words.clients.name}: ${String(after)}`];
    if (field === 'scopes' && Array.isArray(after)) return [after.join(', ')];
    return [];
  });
  return parts.length === 0 ? undefined : parts.join('; ');
}
