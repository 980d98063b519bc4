import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asFirstClient, rollcall } from '../../support/command.js';
import { asApplication, providerSettings } from '../../support/relying-party.js';
import { newId, useOwnService } from '../../support/service.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const service = useOwnService(providerSettings);
const run = (...args: string[]) => rollcall(['applications', ...args], asFirstClient(service));

function described(text: string): string {
  const file = join(temporaryDirectory(), 'applications.yaml');
  writeFileSync(file, text);
  return file;
}

/** What the token endpoint says to an application that has this secret, but nothing to redeem. */
const errorFor = async (id: string, secret: string | null) =>
  (
    await asApplication(service, { id, secret }, '/oidc/token', {
      grant_type: 'authorization_code',
      code: 'none',
      code_verifier: 'x'.repeat(43),
      redirect_uri: 'https://wiki.example.com/callback',
    })
  ).json.error;

test('applies a file, showing the secrets of new applications once, and changes nothing the second time', async () => {
  const [wiki, chat] = [newId('Wiki'), newId('Chat')];
  const file = described(`applications:
  - name: ${wiki}
    redirectUris: [https://wiki.example.com/callback]
    scopes: [openid, profile]
  - name: ${chat}
    isPublic: true
    redirectUris: [https://chat.example.com/callback]
`);
  const planned = await run('apply', file, '--dry-run', '--json');
  expect(JSON.parse(planned.stdout)).toEqual({ dryRun: true, applied: [], unchanged: 0 });
  const { applied } = JSON.parse((await run('apply', file, '--json')).stdout);
  expect(applied).toMatchObject([
    { name: wiki, kind: 'created', secret: expect.any(String) },
    { name: chat, kind: 'created', secret: null },
  ]);
  const [{ id, secret }] = applied;
  expect(await errorFor(id, secret)).toBe('invalid_grant');
  const again = await run('apply', file, '--json');
  expect(JSON.parse(again.stdout)).toEqual({ dryRun: false, applied: [], unchanged: 2 });
  const shown = await run('show', wiki.toUpperCase());
  expect(shown.stdout).toContain(id);
  expect(shown.stdout).not.toContain(secret);
  const changed = await run(
    'apply',
    described(`applications: [{ name: ${wiki}, tagSerials: [staff] }]`),
    '--json',
  );
  expect(JSON.parse(changed.stdout).applied).toMatchObject([{ name: wiki, kind: 'changed' }]);
});

test('lists, rotates and deletes an application, and says what is wrong with a file', async () => {
  const name = newId('Wiki');
  const created = await service.post('/service/applications', {
    name,
    redirectUris: ['https://wiki.example.com/callback'],
  });
  const { id, secret } = created.json.data;
  const rotated = await run('rotate-secret', name, '--overlap-seconds', '0', '--json');
  expect(await errorFor(id, secret)).toBe('invalid_client');
  expect(await errorFor(id, JSON.parse(rotated.stdout).secret)).toBe('invalid_grant');
  expect((await run('list')).stdout).toMatch(new RegExp(`^${id} +${name} +active +0 `, 'm'));
  expect(await run('delete', name, '--yes')).toMatchObject({ code: 0, stderr: 'Application deleted.\n' });
  expect(await run('show', name)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('rollcall applications list'),
  });
  const wrong = await run('apply', described('applications: [{ name: Wiki, redirectUris: [http://wiki] }]'));
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('a complete URL with https') });
});

test('shows the secrets of applications that were created before one was refused', async () => {
  const name = newId('Wiki');
  const file = described(`applications:
  - { name: ${name}, redirectUris: ['https://wiki.example.com/callback'] }
  - { name: ${newId('Chat')}, redirectUris: ['https://chat.example.com/callback'], attributes: [unknownKey] }
`);
  const { code, stdout, stderr } = await run('apply', file);
  expect(code).not.toBe(0);
  expect(stderr).toContain('unknownKey');
  expect(stdout).toMatch(new RegExp(`^${name}: client ID \\S+, secret \\S+$`, 'm'));
});
