import type { RequestBody, Rollcall, Schemas } from '#client';
import { host } from '../host.js';
import {
  type JsonOption,
  type ListOptions,
  pageLimit,
  printList,
  printMessage,
  printRecord,
} from '../output.js';
import { connectInteractive, connection } from '../session/connect.js';
import { formatTime } from '../terminal/format-time.js';
import { confirmOrAbort } from '../terminal/prompt.js';
import { sanitize } from '../terminal/text-width.js';

type Provider = Schemas['Provider'];
type Settings = RequestBody<'setScimProvider'>;

/** `rollcall scim providers` */
export async function listProviders(options: ListOptions): Promise<void> {
  const providers = connectInteractive().each('listScimProviders', { query: { limit: pageLimit(options) } });
  await printList<Provider>(providers, options, {
    headings: ['CLIENT', 'NAME', 'KIND', 'STATUS', 'LAST REQUEST', 'FAILED', 'DEACTIVATED'],
    row: (provider) => [
      provider.clientId,
      provider.name,
      provider.settings.kind,
      provider.isActive ? 'active' : 'disabled',
      formatTime(provider.lastRequestAt),
      String(provider.failedRequests),
      deactivationsText(provider),
    ],
    empty: 'No identity providers. To connect one, see rollcall scim connect --help.',
  });
}

type SettingsOptions = Partial<Settings> & JsonOption;

/** `rollcall scim connect NAME` */
export async function connectProvider(name: string, { json, ...options }: SettingsOptions): Promise<void> {
  const rollcall = connectInteractive();
  const { id } = (await rollcall.call('createClient', { body: { name, scopes: ['scim'] } })).body.data;
  const provider = await saveSettings(rollcall, id, { kind: 'other', ...given(options) });
  const created = await rollcall.call('createClientToken', { path: { id }, body: { name } });
  const { id: tokenId, token } = created.body.data;
  const baseUrl = `${connection(host().env).url.replace(/\/+$/, '')}/scim/v2`;
  printRecord({ ...provider, baseUrl, tokenId, token }, { json }, () => [
    ...formatProvider(provider),
    ['base URL', baseUrl],
    ['token', token],
  ]);
  printMessage(
    'Enter the base URL and the token in the identity provider. The token will not be shown again.',
  );
}

/** `rollcall scim settings CLIENT` */
export async function changeSettings(clientId: string, { json, ...options }: SettingsOptions): Promise<void> {
  const rollcall = connectInteractive();
  const path = { id: clientId };
  const provider = (await rollcall.call('getScimProvider', { path })).body.data;
  const changes = given(options);
  const isChange = Object.keys(changes).length > 0;
  const shown = isChange
    ? await saveSettings(rollcall, clientId, { ...provider.settings, ...changes })
    : provider;
  printRecord(shown, { json }, formatProvider);
}

/** `rollcall scim tokens CLIENT` */
export async function listTokens(clientId: string, options: ListOptions): Promise<void> {
  const request = { path: { id: clientId }, query: { limit: pageLimit(options) } };
  await printList<Schemas['ClientToken']>(connectInteractive().each('listClientTokens', request), options, {
    headings: ['ID', 'NAME', 'CREATED', 'LAST USE', 'EXPIRES', 'REVOKED'],
    row: ({ id, name, createdAt, lastUsedAt, expiresAt, revokedAt }) => [
      id,
      name,
      ...[createdAt, lastUsedAt, expiresAt, revokedAt].map(formatTime),
    ],
    empty: 'No tokens. To create one, see rollcall scim create-token --help.',
  });
}

interface CreateTokenOptions extends JsonOption {
  readonly name: string;
  readonly expiresInDays?: number | undefined;
}

/** `rollcall scim create-token CLIENT` */
export async function createToken(
  clientId: string,
  { name, expiresInDays, json }: CreateTokenOptions,
): Promise<void> {
  const body = { name, ...(expiresInDays === undefined ? {} : { expiresInDays }) };
  const created = await connectInteractive().call('createClientToken', { path: { id: clientId }, body });
  printRecord(created.body.data, { json }, (token) => [
    ['ID', token.id],
    ['name', token.name],
    ['created', formatTime(token.createdAt)],
    ['expires', formatTime(token.expiresAt)],
    ['token', token.token],
  ]);
  printMessage('The token will not be shown again. Store it in a safe place.');
}

/** `rollcall scim revoke-token CLIENT TOKEN` */
export async function revokeToken(
  clientId: string,
  tokenId: string,
  { yes, json }: JsonOption & { readonly yes?: boolean },
): Promise<void> {
  const rollcall = connectInteractive();
  await confirmOrAbort(`Revoke the token ${sanitize(tokenId)}? This cannot be undone.`, yes);
  const revoked = await rollcall.call('revokeClientToken', { path: { id: clientId, tokenId } });
  printRecord(revoked.body.data, { json }, (token) => [
    ['ID', token.id],
    ['name', token.name],
    ['revoked', formatTime(token.revokedAt)],
  ]);
}

/** `rollcall scim requests CLIENT` */
export async function listRequests(
  clientId: string,
  options: ListOptions & { readonly failed?: boolean },
): Promise<void> {
  const query = { limit: pageLimit(options), failedOnly: options.failed === true };
  const requests = connectInteractive().each('listScimRequests', { path: { id: clientId }, query });
  await printList<Schemas['ScimRequest']>(requests, options, {
    headings: ['TIME', 'OPERATION', 'RESOURCE', 'ID', 'STATUS', 'ERROR', 'IGNORED'],
    row: ({ at, operation, resourceType, resourceId, status, error, scimType, ignoredAttributes }) => [
      formatTime(at),
      operation,
      resourceType ?? '',
      resourceId ?? '',
      String(status),
      error ?? scimType ?? '',
      ignoredAttributes.join(', '),
    ],
    empty: options.failed ? 'No failed requests.' : 'No requests yet.',
  });
}

interface AllowOptions extends JsonOption {
  readonly count: number;
  readonly hours: number;
}

/** `rollcall scim allow CLIENT` */
export async function allowDeactivations(
  clientId: string,
  { count, hours, json }: AllowOptions,
): Promise<void> {
  const path = { id: clientId };
  const allowed = await connectInteractive().call('allowScimDeactivations', { path, body: { count, hours } });
  printRecord(allowed.body.data, { json }, formatProvider);
}

async function saveSettings(rollcall: Rollcall, id: string, body: Settings): Promise<Provider> {
  return (await rollcall.call('setScimProvider', { path: { id }, body })).body.data;
}

/** Without options that were not given. */
function given(options: Partial<Settings>): Partial<Settings> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function formatProvider(provider: Provider): [name: string, value: string][] {
  const { settings } = provider;
  return [
    ['client', provider.clientId],
    ['name', provider.name],
    ['kind', settings.kind],
    ['status', provider.isActive ? 'active' : 'disabled'],
    ['employee ID', settings.employeeId],
    ['on delete', settings.onDelete],
    ['visible users', settings.visibleUsers],
    ['unknown attributes', settings.unknownAttributes],
    ['deactivation percent', String(settings.deactivationPercent)],
    ['deactivated', deactivationsText(provider)],
  ];
}

/** "20 of 120 until 2026-11-15T08:30:00Z" */
function deactivationsText({ deactivations: { used, limit, allowedUntil } }: Provider): string {
  const until = allowedUntil === null ? '' : ` until ${formatTime(allowedUntil)}`;
  return limit === null ? String(used) : `${used} of ${limit}${until}`;
}
