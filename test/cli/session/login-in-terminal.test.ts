import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inTerminal, rollcall } from '../../support/command.js';
import { inPseudoTerminal } from '../../support/command-process.js';
import { givenUserWithApp } from '../../support/second-factors.js';
import { credentialsIn, newId, useService } from '../../support/service.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const service = useService();
const loginIn = (home: string) => join(home, '.config', 'rollcall', 'login.json');

test('asks for missing values and never shows the secret', async () => {
  const home = temporaryDirectory();
  const { clientId, clientSecret } = credentialsIn(service.dataDir);
  const terminal = inPseudoTerminal(['login'], {}, home);
  await terminal.until('Service URL');
  expect(terminal.screen()).toContain('(http://localhost:8080)');
  terminal.type(`${service.url}\r`);
  await terminal.until('Client ID or username');
  terminal.type(`${clientId}\r`);
  await terminal.until('Secret');
  terminal.type(`${clientSecret}\r`);
  expect(await terminal.ended, terminal.screen()).toBe(0);
  expect(terminal.screen()).toContain(`Logged in to ${service.url} as client ${clientId}.`);
  expect(terminal.screen()).toContain('users:read, users:write, access:admin, audit:read');
  expect(terminal.screen()).toContain('Secret\u001b[22m \r\n'); // no character was echoed
  expect(terminal.screen()).not.toContain(clientSecret);
  expect(statSync(loginIn(home)).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, '.config', 'rollcall')).mode & 0o777).toBe(0o700);

  const again = inTerminal(['login'], {}, home);
  await again.until(`(${service.url})`); // offers the previous service
  again.type('\rname\rpasted secret\r');
  await again.until('Client ID or username');
  again.type('\u0003');
  expect(await again.ended).toBe(4);
  expect(again.screen()).not.toContain('pasted');
  expect(again.screen()).toContain('Aborted. Nothing was changed.');

  const who = await rollcall(['whoami', '--json'], {}, { cwd: home });
  expect(JSON.parse(who.stdout)).toMatchObject({
    url: service.url,
    kind: 'client',
    id: clientId,
    from: { url: loginIn(home), auth: loginIn(home) },
  });
});

test('requires a new password after an initial one, and stores only the session', async () => {
  const home = temporaryDirectory();
  const username = newId('u');
  const initial = `initial ${username}`;
  const chosen = `chosen by ${username}`;
  await service.givenUser({ username, password: initial });
  const terminal = inTerminal(['login', service.url, '--username', username], {}, home);
  // Questions are bold, so each ends with an escape sequence.
  const asked = (question: string, times: number) =>
    terminal.until(new RegExp(`(?:${question}\u001b[^]*){${times}}`));
  await asked('Password', 1);
  terminal.type(`${initial}\r`);
  await asked('New password', 1);
  terminal.type(`${chosen}\r`);
  await asked('Repeat new password', 1);
  terminal.type('something else\r');
  await terminal.until('The passwords do not match. Try again:');
  await asked('New password', 2);
  terminal.type('short\r');
  await asked('Repeat new password', 2);
  terminal.type('short\r');
  await terminal.until('8 characters');
  await asked('New password', 3);
  terminal.type(`${chosen}\r`);
  await asked('Repeat new password', 3);
  terminal.type(`${chosen}\r`);
  expect(await terminal.ended, terminal.screen()).toBe(0);
  expect(terminal.screen()).toContain(`as ${username} (Ada Lovelace).`);
  expect(terminal.screen().split('\u001b[22m \r\n'), 'no letter after any of 7 questions').toHaveLength(8);
  const kept = readFileSync(loginIn(home), 'utf8');
  for (const secret of [initial, chosen]) {
    expect(terminal.screen()).not.toContain(secret);
    expect(kept).not.toContain(secret);
  }
  expect(terminal.screen()).not.toContain(JSON.parse(kept).token);

  const who = await rollcall(['whoami'], {}, { cwd: home });
  expect(who).toMatchObject({ code: 0, stdout: expect.stringContaining(username) });
  const out = await rollcall(['logout'], {}, { cwd: home });
  expect(out).toMatchObject({ code: 0, stderr: `Logged out from ${service.url}.\n` });
  const { status } = await service.get('/service/auth/me', { token: JSON.parse(kept).token });
  expect(status).toBe(401);
});

test('asks for a code if the user has a second factor, or takes it from --code', async () => {
  const home = temporaryDirectory();
  const { username, password, app } = await givenUserWithApp(service, 'viewer');
  const terminal = inTerminal(['login', service.url, '--username', username], {}, home);
  await terminal.until('Password');
  terminal.type(`${password}\r`);
  await terminal.until('Code from your authenticator app');
  terminal.type(`${app.wrongCode()}\r`);
  await terminal.until('Try again:');
  terminal.type(`${app.code()}\r`);
  expect(await terminal.ended, terminal.screen()).toBe(0);
  const who = await rollcall(['whoami', '--json'], {}, { cwd: home });
  expect(JSON.parse(who.stdout)).toMatchObject({ kind: 'person', scopes: ['users:read'] });

  const login = (...more: string[]) =>
    rollcall(
      ['login', service.url, '--username', username, ...more],
      {},
      { cwd: home, input: `${password}\n` },
    );
  const refused = await login();
  expect(refused.stderr).toContain('Pass its code with --code.');
  const given = await login('--code', app.code(1));
  expect(given.code, given.stderr).toBe(0);
});
