import { expect, test } from 'vitest';
import { measures } from '../support/metrics.js';
import {
  authorizationUrl,
  CookieBrowser,
  givenApplication,
  givenTokens,
  newPkce,
  offline,
  providerSettings,
  userinfo,
} from '../support/relying-party.js';
import { newId, useOwnService } from '../support/service.js';
import { givenSignedInUser } from '../support/signed-in-users.js';
import { unusedOperations } from '../support/unused-operations.js';

const service = useOwnService({ ...providerSettings, ...measures });

test('an application is registered, used, changed, given a new secret and deleted', async () => {
  const application = await givenApplication(service);
  const path = `/service/applications/${application.id}`;
  const browser = new CookieBrowser(service);
  const { url } = await browser.follow(authorizationUrl(service, application, newPkce()));
  const signIn = `/service/auth/applications/${url.pathname.split('/').at(-1)}`;
  expect((await service.get(signIn, { token: null })).json.data.applicationName).toBe(application.name);
  const user = await givenSignedInUser(service);
  const { access_token: token } = await givenTokens(service, application, user, offline);
  expect((await userinfo(service, token)).json.sub).toBe(user.serial);
  expect((await service.get('/service/me/applications', user)).json.data.applications).toHaveLength(1);
  expect((await service.get(path)).json.data.users).toBe(1);
  await service.request('DELETE', `/service/me/applications/${application.id}`, { token: user.token });
  expect((await userinfo(service, token)).status).toBe(401);
  const name = newId('App');
  expect((await service.request('PATCH', path, { body: { name } })).json.data).toMatchObject({
    name,
    users: 0,
  });
  expect((await service.post(`${path}/rotate`, {})).json.data.secrets).toHaveLength(2);
  const { items } = (await service.get('/service/applications')).json.data;
  expect(items.map(({ id }: { id: string }) => id)).toContain(application.id);
  expect((await service.request('DELETE', path)).status).toBe(200);
  expect((await service.get(path)).status).toBe(404);
  expect(await unusedOperations(service, ['Applications'])).toEqual([]);
});
