import { describe, expect, inject, test } from 'vitest';
import { embeddedDirectory } from '../../support/embedded-directory.js';
import { createDatabase, issueToken, TestService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const clientId = 'first-client.of_deployment';

/** Starts on the same data each time, and gets a token with the bootstrap secret. */
function startsWith(place: Record<string, string>, clientSecret: string): Promise<TestService> {
  return TestService.start({
    ...place,
    ROLLCALL_BOOTSTRAP_CLIENT_ID: clientId,
    ROLLCALL_BOOTSTRAP_CLIENT_SECRET: clientSecret,
  });
}

const worksOn = ({ url }: TestService, clientSecret: string) =>
  issueToken(url, { clientId, clientSecret }).then(
    () => true,
    () => false,
  );

describe('the bootstrap client', () => {
  test('has only its configured secret after every start, whatever was rotated in between', async () => {
    const place =
      inject('engine') === 'postgres'
        ? { ROLLCALL_DATA_DIR: temporaryDirectory(), DATABASE_URL: await createDatabase() }
        : { ROLLCALL_DATA_DIR: await embeddedDirectory() };
    const [first, second] = ['the-first-injected-secret/+=~', 'the-second-injected-secret'];

    const before = await startsWith(place, first);
    const rotation = await before.request('POST', `/service/clients/${clientId}/rotate`);
    expect(rotation.status, rotation.text).toBe(200);
    const rotated = rotation.json.data.secret;
    expect([await worksOn(before, first), await worksOn(before, rotated)]).toEqual([true, true]);
    expect(await tablesHolding(before, first)).toEqual([]);
    const narrowed = { name: 'Renamed', scopes: ['users:read', 'access:admin'] };
    await before.request('PATCH', `/service/clients/${clientId}`, { body: narrowed });
    await before.stop();

    const again = await startsWith(place, first);
    expect([await worksOn(again, first), await worksOn(again, rotated)]).toEqual([true, false]);
    const shown = (await again.get(`/service/clients/${clientId}`)).json.data;
    expect(shown, 'what was changed over the API stays').toMatchObject({ ...narrowed, isActive: true });
    expect(shown.secrets).toEqual([{ createdAt: expect.any(String), expiresAt: null }]);
    await again.stop();

    const replaced = await startsWith(place, second);
    expect([await worksOn(replaced, second), await worksOn(replaced, first)]).toEqual([true, false]);
    await replaced.stop();
  });
});
