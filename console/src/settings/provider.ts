import type { Schemas } from '@rollcall/client';
import { queryClient, rollcall } from '../session/api.js';
import { settingsPath } from './tabs.js';

export type Provider = Schemas['Provider'];
export type ProviderKind = Provider['settings']['kind'];

/** In the order in which they are offered. */
export const providerKinds: readonly ProviderKind[] = ['okta', 'entra', 'other'];

export const providerKeys = {
  all: ['activity', 'providers'],
  one: (clientId: string) => ['activity', 'providers', clientId],
  tokens: (clientId: string) => ['activity', 'providers', clientId, 'tokens'],
} as const;

export const connectPath = `${settingsPath('provisioning')}/connect`;

export function providerPath(clientId: string): string {
  return `${settingsPath('provisioning')}/${encodeURIComponent(clientId)}`;
}

/** Providers reach the service at the address of its console. */
export function scimBaseUrl(): string {
  return `${window.location.origin}/scim/v2`;
}

export const employeeNumber = {
  namespace: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'employeeNumber',
} as const;

export async function createToken(
  clientId: string,
  name: string,
  expiresInDays: number | null,
): Promise<string> {
  const reply = await rollcall.call('createClientToken', {
    path: { id: clientId },
    body: { name, expiresInDays },
  });
  void reloadProviders();
  return reply.body.data.token;
}

export function reloadProviders(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: providerKeys.all });
}
