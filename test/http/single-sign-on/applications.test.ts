import { expect, test } from 'vitest';
import { useCompany } from '../../support/company.js';
import {
  givenApplication,
  givenTokens,
  offline,
  providerSettings,
  userinfo,
} from '../../support/relying-party.js';

const { service, provider, browser, employee } = useCompany(providerSettings);

/** Of a user who has signed in with the provider of the company, and then to an application. */
async function givenAccess() {
  const user = await employee();
  const visitor = browser();
  await visitor.signIn();
  const session = { token: visitor.sessionToken ?? '' };
  const tokens = await givenTokens(service, await givenApplication(service), session, offline);
  const hasAccess = async () => (await userinfo(service, tokens.access_token)).status === 200;
  expect(await hasAccess()).toBe(true);
  return { user, visitor, hasAccess };
}

test('signing in again in the same browser leaves the access of applications alone', async () => {
  const { visitor, hasAccess } = await givenAccess();
  const before = visitor.sessionToken;
  expect(await visitor.signIn()).toBe('/signed-in');
  expect(visitor.sessionToken).not.toBe(before);
  expect(await hasAccess()).toBe(true);
});

test('a logout token of the provider ends it', async () => {
  const { user, hasAccess } = await givenAccess();
  const logout = new URLSearchParams({
    logout_token: await provider.logoutToken({ sub: user.account }),
  });
  const ended = await service.request('POST', '/service/auth/sso/backchannel-logout', {
    rawBody: logout.toString(),
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(ended.status).toBe(200);
  expect(await hasAccess()).toBe(false);
});
