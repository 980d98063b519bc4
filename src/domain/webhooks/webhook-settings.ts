import { type Failure, failure } from '../../contract/errors.js';
import type { WebhookSettings } from '../../storage/delivery/webhooks.js';
import type { Context } from '../context.js';
import { resolveTarget, webhookUrlProblem } from './webhook-url.js';

export type WebhookChange = { readonly [Name in keyof WebhookSettings]?: WebhookSettings[Name] } & {
  readonly isActive?: boolean;
};

export async function checkUrl(
  { webhookTargets, webhookHosts }: Context,
  url: string,
): Promise<Failure | undefined> {
  const problem = webhookUrlProblem(url, webhookTargets, webhookHosts);
  if (problem !== undefined) return urlRejected(problem);
  const target = await resolveTarget(new URL(url).hostname, webhookTargets);
  return target.ok ? undefined : urlRejected(`has a host that ${target.problem}`);
}

function urlRejected(problem: string): Failure {
  return failure('WEBHOOK_URL_REFUSED', `The URL ${problem}.`);
}

/** What the access log records of the settings. The path of a URL may contain a secret of the receiver. */
export function auditedSettings({ url, ...settings }: WebhookChange): Record<string, unknown> {
  return { ...settings, ...(url === undefined ? {} : { host: new URL(url).host }) };
}
