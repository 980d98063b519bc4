import { type AllowedHost, isAllowedHost } from '../contract/webhook-hosts.js';
import { SourceFailed } from '../domain/feeds/source-problem.js';
import {
  type Lookup,
  type ResolvedAddress,
  resolveTarget,
  type WebhookTargets,
} from '../domain/webhooks/webhook-url.js';
import type { ReadDeadline } from './read-deadline.js';

/** Which hosts may be connected to: the rules of webhooks. */
export interface HostRules {
  readonly targets: WebhookTargets;
  /** Any host if empty. */
  readonly allowedHosts: readonly AllowedHost[];
  /** Replaces the system's lookup in tests. */
  readonly lookup?: Lookup | undefined;
}

/** The checked addresses of the host of a URL. The connection must use one of them. */
export async function checkedAddresses(
  url: Pick<URL, 'protocol' | 'hostname' | 'port'>,
  { targets, allowedHosts, lookup }: HostRules,
  deadline: ReadDeadline,
): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> {
  if (!isAllowedHost(url, allowedHosts)) throw new SourceFailed({ code: 'host_not_allowed' });
  const target = await deadline.wait(resolveTarget(url.hostname, targets, lookup));
  if (!target.ok) throw new SourceFailed({ code: target.code });
  return target.addresses;
}
