import type { Schemas } from '@rollcall/client';
import { webhooksCopy } from '../copy/on-demand-copy.js';
import type { IssuedSecret } from './secrets.js';

export type Webhook = Schemas['Webhook'];

export type WebhookAction =
  | { readonly kind: 'create' }
  | { readonly kind: WebhookVerb; readonly webhook: Webhook }
  | { readonly kind: 'deliveries'; readonly webhook: Webhook }
  | { readonly kind: 'secret'; readonly given: IssuedSecret };

export type WebhookVerb = 'edit' | 'rotate' | 'replay' | 'disable' | 'enable' | 'remove';

type Health = 'good' | 'unused' | 'failing' | 'stopped' | 'disabled';

type State = Pick<Webhook, 'isActive' | 'disabledBecause' | 'failingSince' | 'lastDeliveryAt'>;

export function healthOf({ isActive, disabledBecause, failingSince, lastDeliveryAt }: State): Health {
  if (!isActive) return disabledBecause === null ? 'disabled' : 'stopped';
  if (failingSince !== null) return 'failing';
  return lastDeliveryAt === null ? 'unused' : 'good';
}

export function nameOf({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description || url;
}

/** Why an attempt failed. Attempts from before there were codes have a sentence in English. */
export function problemText(problem: Webhook['lastProblem'], statusCode: number | null): string | undefined {
  const copy = webhooksCopy.deliveries.problems;
  if (problem === null) return undefined;
  return problem === 'responded' ? copy.responded(statusCode ?? 0) : copy[problem];
}
