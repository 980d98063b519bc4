import { describe, expect, test } from 'vitest';
import { useCompany } from '../../support/company.js';
import { newId } from '../../support/service.js';
import { cookieOf } from '../../support/sessions.js';

describe('matching by email', () => {
  const { provider, browser, employee } = useCompany({
    ROLLCALL_SSO_USER_CLAIM: 'email',
    ROLLCALL_SSO_USER_FIELD: 'email',
  });
  const verified = (email: string) => ({ email, email_verified: true });
  const unknown = '/signed-in?problem=ACCESS_SSO_USER_UNKNOWN';

  test('needs an address that the provider has verified', async () => {
    const email = `${newId('m')}@example.org`;
    const { account } = await employee({ email }, verified(email.toUpperCase()));
    expect(await browser().signIn()).toBe('/signed-in');
    provider.accounts.set(account, { email, email_verified: false });
    expect(await browser().signIn()).toBe(unknown);
    provider.accounts.set(account, { email, email_verified: 'true' });
    expect(await browser().signIn()).toBe(unknown);
    provider.accounts.set(account, { email });
    expect(await browser().signIn()).toBe(unknown);
  });

  test('refuses an address that two active users have', async () => {
    const email = `${newId('m')}@example.org`;
    await employee({ email, isActive: false });
    await employee({ email }, verified(email));
    expect(await browser().signIn()).toBe('/signed-in');
    await employee({ email }, verified(email));
    expect(await browser().signIn()).toBe(unknown);
  });

  test('refuses an address that only folds into the one of a user', async () => {
    const local = newId('kelvin');
    await employee(
      { email: `${local}@example.org` },
      verified(`${local.replace('k', '\u212A')}@example.org`),
    );
    expect(await browser().signIn()).toBe(unknown);
  });
});

describe('matching by username', () => {
  const { browser, employee } = useCompany({
    ROLLCALL_SSO_USER_CLAIM: 'preferred_username',
    ROLLCALL_SSO_USER_FIELD: 'username',
  });

  test('ignores case, but nothing that only folds into the name', async () => {
    const username = newId('kit');
    await employee({ username }, { preferred_username: username.toUpperCase() });
    expect(await browser().signIn()).toBe('/signed-in');
    const other = newId('kit');
    await employee({ username: other }, { preferred_username: other.replace('k', '\u212A') });
    expect(await browser().signIn()).toBe('/signed-in?problem=ACCESS_SSO_USER_UNKNOWN');
  });
});

describe('the role claim', () => {
  const { service, provider, browser, employee } = useCompany({
    ROLLCALL_SSO_ROLE_CLAIM: 'groups',
    ROLLCALL_SSO_ROLES: 'cn=admins,ou=it=administrator, hr=operator',
  });
  const admins = ['cn=admins,ou=it', 'hr', 'others'];
  const roleOf = async (serial: string) =>
    (await service.get(`/service/users/${serial}/role`)).json.data.role;

  test('gives the most powerful role, changes it at the next sign-in and takes it away', async () => {
    const { serial, account, employeeID } = await employee({}, { groups: admins });
    const visitor = browser();
    await visitor.signIn();
    expect(await roleOf(serial)).toBe('administrator');
    provider.accounts.set(account, { employee_number: employeeID, groups: ['hr'] });
    expect(await roleOf(serial)).toBe('administrator');
    await browser().signIn();
    expect(await roleOf(serial)).toBe('operator');
    const first = await service.get('/service/auth/me', {
      token: null,
      headers: cookieOf(service, visitor.sessionToken ?? ''),
    });
    expect(first.status).toBe(401); // a new role ends older sessions
    provider.accounts.set(account, { employee_number: employeeID });
    await browser().signIn();
    expect(await roleOf(serial)).toBeNull();
    const { items } = (await service.get(`/service/access-events?userSerial=${serial}`)).json.data;
    const changes = items.filter(({ kind }: { kind: string }) => kind === 'role.changed');
    expect(changes.map(({ detail }: { detail: object }) => detail)).toEqual([
      { before: 'operator', after: null },
      { before: 'administrator', after: 'operator' },
      { before: null, after: 'administrator' },
    ]);
    expect(changes[0].actor).toEqual({ kind: 'outside', id: `${provider.url}#${account}` });
  });

  test('never takes the role of the last administrator', async () => {
    const { items: current } = (await service.get('/service/users?role=administrator')).json.data;
    const last = await employee({ username: newId('last') }, { groups: admins });
    await browser().signIn();
    for (const { serial } of current) {
      await service.request('PUT', `/service/users/${serial}/role`, { body: { role: null } });
    }
    provider.accounts.set(last.account, { employee_number: last.employeeID });
    expect(await browser().signIn()).toBe('/signed-in');
    expect(await roleOf(last.serial)).toBe('administrator');
    const { items } = (await service.get(`/service/access-events?userSerial=${last.serial}`)).json.data;
    expect(items).toContainEqual(
      expect.objectContaining({ kind: 'role.kept', detail: { before: 'administrator', refused: null } }),
    );
  });
});
