import type { Schemas } from '@rollcall/client';
import type { IssuedSecret } from './secrets.js';

export type Webhook = Schemas['Webhook'];

export type WebhookAction =
  | { readonly kind: 'create' }
  | { readonly kind: WebhookVerb; readonly webhook: Webhook }
  | { readonly kind: 'secret'; readonly given: IssuedSecret };

export type WebhookVerb = 'edit' | 'rotate' | 'replay' | 'disable' | 'enable' | 'remove';

type Health = 'good' | 'failing' | 'stopped' | 'disabled';

type State = Pick<Webhook, 'isActive' | 'disabledBecause' | 'failingSince'>;

export function healthOf({ isActive, disabledBecause, failingSince }: State): Health {
  if (!isActive) return disabledBecause === null ? 'disabled' : 'stopped';
  return failingSince === null ? 'good' : 'failing';
}

export function nameOf({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description || url;
}
