import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asFirstClient, rollcall } from '../../support/command.js';
import { freePort } from '../../support/postgres-server.js';
import { credentialsIn, useService } from '../../support/service.js';
import { givenNewcomer, givenSignedInUser } from '../../support/signed-in-users.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const service = useService();
const loginIn = (home: string) => join(home, '.config', 'rollcall', 'login.json');

test('reads the secret from stdin, and stores nothing if the service rejects it', async () => {
  const home = temporaryDirectory();
  const { clientId, clientSecret } = credentialsIn(service.dataDir);
  const dead = `http://127.0.0.1:${await freePort()}`;
  const asClient = ['login', service.url, '--client-id', clientId];
  const done = await rollcall([...asClient, '--json'], {}, { cwd: home, input: `${clientSecret}\n` });
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(done.stdout)).toMatchObject({ url: service.url, kind: 'client', id: clientId });
  const kept = readFileSync(loginIn(home), 'utf8');

  const [wrong, empty, nobody, noUrl, nowhere] = await Promise.all([
    rollcall(asClient, {}, { cwd: home, input: 'wrong' }),
    rollcall(asClient, {}, { cwd: home, input: '' }),
    rollcall(['login', service.url], {}, { cwd: home }),
    rollcall(['login', 'people', '--username', 'ada'], {}, { cwd: home, input: 'secret' }),
    rollcall(['login', dead, '--username', 'ada'], {}, { cwd: home, input: 'secret' }),
  ]);
  expect(wrong).toMatchObject({ code: 4, stderr: expect.stringContaining('Nothing was stored') });
  expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('No secret was given') });
  expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('--client-id') });
  expect(noUrl).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a valid service URL') });
  expect(nowhere.code).toBe(3);
  expect(nowhere.stderr).toContain(`The service at ${dead} does not respond (ECONNREFUSED).`);
  expect(nowhere.stderr).not.toContain('may have succeeded');
  expect(readFileSync(loginIn(home), 'utf8')).toBe(kept);
});

test('reads credentials from the file of the first start or of a new client', async () => {
  const home = temporaryDirectory();
  mkdirSync(join(home, '.config', 'rollcall'), { recursive: true });
  chmodSync(join(home, '.config', 'rollcall'), 0o755); // whatever the umask of this process
  writeFileSync(join(home, 'broken.json'), '{"clientId": 7}');
  const file = join(service.dataDir, 'first-credentials.json');
  const first = await rollcall(['login', service.url, '--credentials', file], {}, { cwd: home });
  expect(first.code, first.stderr).toBe(0);
  expect(statSync(join(home, '.config', 'rollcall')).mode & 0o777).toBe(0o755);
  expect(statSync(loginIn(home)).mode & 0o777).toBe(0o600);

  const args = ['clients', 'create', '--name', 'Laptop', '--scopes', 'users:read', '--json'];
  const laptop = await rollcall(args, {}, { cwd: home });
  writeFileSync(join(home, 'laptop.json'), laptop.stdout);
  const second = await rollcall(['login', '--credentials', 'laptop.json'], {}, { cwd: home });
  expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('Permissions: users:read.') });
  expect(second.stderr).toContain(`Logged in to ${service.url}`); // the previous service
  expect(second.stderr).not.toContain(JSON.parse(laptop.stdout).secret);

  const [broken, missing, both] = await Promise.all([
    rollcall(['login', '--credentials', 'broken.json'], {}, { cwd: home }),
    rollcall(['login', '--credentials', 'missing.json'], {}, { cwd: home }),
    rollcall(['login', '--credentials', 'laptop.json', '--username', 'ada'], {}, { cwd: home }),
  ]);
  expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('contains no credentials') });
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('ENOENT') });
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be used with') });
});

test('logs a user in without a terminal, unless the password has to be changed first', async () => {
  const home = temporaryDirectory();
  const [user, newcomer] = await Promise.all([
    givenSignedInUser(service, 'operator'),
    givenNewcomer(service),
  ]);
  const asUser = ['login', service.url, '--username', user.username];
  const [done, asNewcomer, wrong] = await Promise.all([
    rollcall(asUser, {}, { cwd: home, input: `${user.password}\n` }),
    rollcall(['login', service.url, '--username', newcomer.username], {}, { input: newcomer.password }),
    rollcall(asUser, {}, { input: 'wrong' }),
  ]);
  expect(done).toMatchObject({ code: 0, stdout: '' });
  expect(done.stderr).toContain('Permissions: users:read, users:write (operator).');
  expect(readFileSync(loginIn(home), 'utf8')).not.toContain(user.password);
  expect(asNewcomer.code).toBe(4);
  expect(asNewcomer.stderr).toContain(`\`rollcall login --username ${newcomer.username}\` in a terminal`);
  expect(wrong).toMatchObject({ code: 4, stderr: expect.stringContaining('If') });
  expect(wrong.stderr).toContain(`--client-id ${user.username}`);

  const { token } = JSON.parse(readFileSync(loginIn(home), 'utf8'));
  const again = await rollcall(asUser, {}, { cwd: home, input: user.password });
  expect(again.code, again.stderr).toBe(0);
  expect((await service.get('/service/auth/me', { token })).status, 'the session of before').toBe(401);
});

test('environment variables override the login, and login says so', async () => {
  const home = temporaryDirectory();
  const environment = asFirstClient(service);
  const file = join(service.dataDir, 'first-credentials.json');
  const login = await rollcall(['login', '--credentials', file], environment, { cwd: home });
  expect(login.code, login.stderr).toBe(0);
  expect(login.stderr).toContain(`ROLLCALL_URL (${service.url}) is set and overrides this login.`);
  expect(login.stderr).toContain('ROLLCALL_CLIENT_SECRET is set and overrides this login.');
  expect(login.stderr).not.toContain(environment.ROLLCALL_CLIENT_SECRET);

  const [who, token, noToken, noId, elsewhere, twice] = await Promise.all([
    rollcall(['whoami', '--json'], environment, { cwd: home }),
    rollcall(['whoami'], { ROLLCALL_TOKEN: service.token }, { cwd: home }),
    rollcall(['whoami'], { ROLLCALL_TOKEN: 'two words' }, { cwd: home }),
    rollcall(['calls', 'undo', '', '--yes'], environment),
    rollcall(['whoami'], { ROLLCALL_URL: 'http://127.0.0.1:9' }, { cwd: home }),
    rollcall(['whoami'], { ...environment, ROLLCALL_TOKEN: 'x' }, { cwd: home }),
  ]);
  expect(JSON.parse(who.stdout).from).toEqual({ url: 'ROLLCALL_URL', auth: 'ROLLCALL_CLIENT_ID' });
  expect(token).toMatchObject({ code: 0, stdout: expect.stringContaining('(ROLLCALL_TOKEN)') });
  expect(noToken).toMatchObject({ code: 2, stderr: expect.stringContaining('Check ROLLCALL_TOKEN') });
  expect(noId).toMatchObject({ code: 2, stderr: expect.stringContaining('An ID is empty') });
  expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('You are logged in to') });
  expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('Keep only one of them') });
});

test('rejects a login file that is readable by others, damaged or expired, until the next login', async () => {
  const home = temporaryDirectory();
  const inHome = (...args: string[]) => rollcall(args, {}, { cwd: home });
  const nothing = await inHome('users', 'list');
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('Not logged in') });

  mkdirSync(join(home, '.config', 'rollcall'), { recursive: true });
  const ended = { url: service.url, username: 'ada', token: 'rcs_x', endsAt: '2020-01-01T00:00:00.000Z' };
  writeFileSync(loginIn(home), JSON.stringify(ended), { mode: 0o600 });
  expect(await inHome('whoami')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('The session of ada has expired'),
  });
  chmodSync(loginIn(home), 0o640);
  expect(await inHome('whoami')).toMatchObject({ code: 4, stderr: expect.stringContaining('chmod 600') });
  writeFileSync(loginIn(home), '{"url":');
  chmodSync(loginIn(home), 0o600);
  expect(await inHome('whoami')).toMatchObject({ code: 4, stderr: expect.stringContaining('is damaged') });

  const file = join(service.dataDir, 'first-credentials.json');
  const mended = await inHome('login', service.url, '--credentials', file);
  expect(mended.code, mended.stderr).toBe(0);
  expect((await inHome('whoami')).code).toBe(0);
});

test('logout deletes the login in any state, even if the service is unreachable', async () => {
  const home = temporaryDirectory();
  const logOut = () => rollcall(['logout', '--json'], {}, { cwd: home });
  mkdirSync(join(home, '.config', 'rollcall'), { recursive: true });
  writeFileSync(loginIn(home), '{', { mode: 0o600 });
  expect(JSON.parse((await logOut()).stdout)).toEqual({ wasLoggedIn: true, url: null, sessionEnded: null });
  expect(existsSync(loginIn(home))).toBe(false);

  const endsAt = '2100-01-01T00:00:00.000Z';
  const dead = `http://127.0.0.1:${await freePort()}`;
  const open = { url: dead, username: 'ada', token: 'rcs_secret', endsAt };
  writeFileSync(loginIn(home), JSON.stringify(open), { mode: 0o600 });
  const unreachable = await logOut();
  expect(unreachable).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`expires at ${endsAt}`),
  });
  expect(unreachable.stderr).not.toContain('rcs_secret');
  expect(JSON.parse(unreachable.stdout)).toMatchObject({ wasLoggedIn: true, sessionEnded: false });
  expect(JSON.parse((await logOut()).stdout)).toMatchObject({ wasLoggedIn: false });
});
