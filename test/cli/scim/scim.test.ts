import { expect, test } from 'vitest';
import type { ScimRequestEntry } from '../../../src/domain/scim/request-log.js';
import { asFirstClient, rollcall } from '../../support/command.js';
import { deactivate, givenProvider, givenToken } from '../../support/providers.js';
import { useService } from '../../support/service.js';

const service = useService();
const run = (...args: string[]) => rollcall(['scim', ...args], asFirstClient(service));

test('connects an identity provider and shows its token once, on stdout', async () => {
  const connected = await run('connect', 'Okta', '--kind', 'okta', '--employee-id', 'externalId');
  expect(connected.code, connected.stderr).toBe(0);
  const [, clientId] = /^client +(\S+)$/m.exec(connected.stdout) ?? [];
  const [, token] = /^token +(rct_\S+)$/m.exec(connected.stdout) ?? [];
  expect(connected.stdout).toMatch(new RegExp(`^base URL +${service.url}/scim/v2$`, 'm'));
  expect(connected.stderr).toContain('The token will not be shown again.');
  const me = await service.get('/service/auth/me', { token: token as string });
  expect(me.json.data).toMatchObject({ id: clientId, scopes: ['scim'] });
  const listed = await run('providers', '--all');
  expect(listed.stdout).toMatch(new RegExp(`^${clientId} +Okta +okta +active +0 +0 of \\d+$`, 'm'));
  expect(listed.stdout).not.toContain(token);

  const another = JSON.parse((await run('connect', 'Other', '--json')).stdout);
  expect(another).toMatchObject({
    name: 'Other',
    settings: { kind: 'other' },
    baseUrl: `${service.url}/scim/v2`,
    token: expect.stringMatching(/^rct_/),
  });
});

test('changes only the settings that are given, and shows them', async () => {
  const { clientId } = await givenProvider(service);
  await run('settings', clientId, '--kind', 'entra', '--on-delete', 'erase');
  const changed = await run('settings', clientId, '--deactivation-percent', '0', '--json');
  const settings = { kind: 'entra', onDelete: 'erase', deactivationPercent: 0 };
  expect(JSON.parse(changed.stdout)).toMatchObject({ clientId, settings });
  const shown = await run('settings', clientId);
  expect(shown.stdout).toMatch(/^on delete +erase$/m);
  expect(shown.stdout).toMatch(/^deactivated +0$/m);
  expect(await run('settings', clientId, '--kind', 'adfs')).toMatchObject({ code: 2 });
  expect(await run('settings', 'client-x')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('No client has this ID'),
  });
});

test('creates, lists and revokes tokens', async () => {
  const provider = await givenProvider(service);
  const { clientId } = provider;
  const created = await run(
    'create-token',
    clientId,
    '--name',
    'Entra ID',
    '--expires-in-days',
    '90',
    '--json',
  );
  const { id, token, expiresAt } = JSON.parse(created.stdout);
  expect(token).toMatch(/^rct_/);
  const listed = await run('tokens', clientId);
  expect(listed.stdout).toMatch(new RegExp(`^${id} +Entra ID +\\S+Z +${expiresAt.slice(0, 19)}Z$`, 'm'));
  expect(listed.stdout).not.toContain(token);
  const other = await givenToken(service, provider);
  const revoked = await run('revoke-token', clientId, id, '--yes', '--json');
  expect(JSON.parse(revoked.stdout)).toMatchObject({ id, revokedAt: expect.any(String) });
  const left = JSON.parse((await run('tokens', clientId, '--json')).stdout);
  expect(left.map((each: { id: string; revokedAt: unknown }) => [each.id, each.revokedAt === null])).toEqual([
    [other.id, true],
    [id, false],
  ]);
});

test('lists requests, all or those that failed', async () => {
  const { clientId } = await givenProvider(service);
  const request: Omit<ScimRequestEntry, 'operation' | 'status' | 'error'> = {
    ...{ clientId, resourceType: 'User', resourceId: null, scimType: null, durationMs: 3 },
    ignoredAttributes: ['nickName'],
  };
  expect((await run('requests', clientId)).stderr).toContain('No requests yet.');
  service.context.scimRequests.record({ ...request, operation: 'create', status: 201, error: null });
  const failed = { operation: 'patch', status: 404, error: 'USER_NOT_FOUND' } as const;
  service.context.scimRequests.record({ ...request, ...failed });
  await service.context.scimRequests.flush();
  const { stdout } = await run('requests', clientId);
  expect(stdout).toMatch(/^\S+Z +create +User +201 +nickName$/m);
  expect(stdout).toMatch(/^\S+Z +patch +User +404 +USER_NOT_FOUND +nickName$/m);
  const listed = JSON.parse((await run('requests', clientId, '--failed', '--json')).stdout);
  expect(listed).toMatchObject([failed]);
});

test('allows more deactivations', async () => {
  const { clientId, path } = await givenProvider(service);
  const { limit } = (await service.get(`${path}/scim`)).json.data.deactivations;
  expect(await deactivate(service, clientId, limit + 50)).toBeDefined();
  const allowed = await run('allow', clientId, '--count', '100', '--hours', '2');
  expect(allowed.stdout).toMatch(/^deactivated +0 of \d+ until \S+Z$/m);
  expect(await deactivate(service, clientId, limit + 50)).toBeUndefined();
  expect(await run('allow', clientId, '--count', '0')).toMatchObject({ code: 2 });
});
