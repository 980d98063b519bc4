import { expect, test } from 'vitest';
import { createDatabase, issueToken, TestService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const clientId = 'first-client.of_deployment';

const worksOn = ({ url }: TestService, clientSecret: string) =>
  issueToken(url, { clientId, clientSecret }).then(
    () => true,
    () => false,
  );

test('the bootstrap client has only its configured secret after a start, whatever was rotated before', async () => {
  const place = {
    ROLLCALL_DATA_DIR: temporaryDirectory(),
    DATABASE_URL: await createDatabase(),
    ROLLCALL_BOOTSTRAP_CLIENT_ID: clientId,
  };
  const [first, second] = ['the-first-injected-secret/+=~', 'the-second-injected-secret'];

  const before = await TestService.start({ ...place, ROLLCALL_BOOTSTRAP_CLIENT_SECRET: first });
  const rotation = await before.request('POST', `/service/clients/${clientId}/rotate`);
  expect(rotation.status, rotation.text).toBe(200);
  const rotated = rotation.json.data.secret;
  expect([await worksOn(before, first), await worksOn(before, rotated)]).toEqual([true, true]);
  expect(await tablesHolding(before, first)).toEqual([]);
  const narrowed = { name: 'Renamed', scopes: ['users:read', 'access:admin'] };
  await before.request('PATCH', `/service/clients/${clientId}`, { body: narrowed });
  await before.stop();

  const again = await TestService.start({ ...place, ROLLCALL_BOOTSTRAP_CLIENT_SECRET: second });
  const works = await Promise.all([second, first, rotated].map((secret) => worksOn(again, secret)));
  expect(works).toEqual([true, false, false]);
  const shown = (await again.get(`/service/clients/${clientId}`)).json.data;
  expect(shown, 'what was changed over the API stays').toMatchObject({ ...narrowed, isActive: true });
  expect(shown.secrets).toEqual([{ createdAt: expect.any(String), expiresAt: null }]);
  await again.stop();
});
