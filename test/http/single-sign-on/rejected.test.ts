import { generateKeyPair } from 'jose';
import { afterEach, describe, expect, test } from 'vitest';
import { useCompany } from '../../support/company.js';
import { expectFailure } from '../../support/expect-failure.js';

const { service, provider, browser, employee } = useCompany();
const failed = '/signed-in?problem=ACCESS_SSO_FAILED';

afterEach(() => {
  Object.assign(provider, { tamper: undefined, signsWith: undefined, hangs: false, outage: undefined });
});

/** Where the console goes on after the browser was sent back with these parameters. */
async function returned(change: (callback: URL) => void, visitor = browser()): Promise<string> {
  await employee();
  const callback = await visitor.authorize();
  change(callback);
  const { location } = await visitor.open(callback.href);
  expect(visitor.sessionToken).toBeUndefined();
  return location.slice(service.url.length);
}

describe('the way back from the provider', () => {
  test('works once', async () => {
    await employee();
    const visitor = browser();
    const callback = await visitor.authorize();
    expect((await visitor.open(callback.href)).location).toMatch(/\/signed-in$/);
    expect((await visitor.open(callback.href)).location).toContain(failed);
  });

  test('works only in the browser that went there, and is not used up by another', async () => {
    await employee();
    const [mine, theirs] = [browser(), browser()];
    const callback = await mine.authorize();
    await theirs.authorize();
    expect((await theirs.open(callback.href)).location).toContain(failed);
    expect((await browser().open(callback.href)).location).toContain(failed);
    expect(theirs.sessionToken).toBeUndefined();
    expect((await mine.open(callback.href)).location).toMatch(/\/signed-in$/);
  });

  test('takes ten minutes at most', async () => {
    await employee();
    const visitor = browser();
    const callback = await visitor.authorize();
    await service.database.pool.query(
      `UPDATE provider_sign_ins SET started_at = now() - interval '10 minutes 1 second'`,
    );
    expect((await visitor.open(callback.href)).location).toContain(failed);
  });

  test.each([
    ['a state that nobody began', (url: URL) => url.searchParams.set('state', 'A'.repeat(43))],
    ['a state that is none', (url: URL) => url.searchParams.set('state', "' OR 1=1")],
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['two states', (url: URL) => url.searchParams.append('state', 'A'.repeat(43))],
    [
      'another issuer, as in a mix-up attack',
      (url: URL) => url.searchParams.set('iss', 'https://evil.example'),
    ],
    ['no issuer, though the provider names itself', (url: URL) => url.searchParams.delete('iss')],
    ['a code that was not issued', (url: URL) => url.searchParams.set('code', 'stolen')],
    ['no code', (url: URL) => url.searchParams.delete('code')],
  ])('is refused with %s', async (_, change) => {
    expect(await returned(change)).toBe(failed);
  });

  test('is refused with a code that was redeemed before', async () => {
    await employee();
    const visitor = browser();
    const first = await visitor.authorize();
    await visitor.open(first.href);
    const second = await visitor.authorize();
    second.searchParams.set('code', first.searchParams.get('code') ?? '');
    expect((await visitor.open(second.href)).location).toContain(failed);
  });

  test('tells programs what is wrong', async () => {
    const { location } = await browser().open(`${service.url}/service/auth/sso/callback?code=1&state=2`);
    expect(location).toContain(failed);
    const reply = await service.get('/service/auth/sso/callback?code=1&state=2', { token: null });
    expectFailure(reply, 400, 10247, 'ACCESS_SSO_FAILED', /^This sign-in cannot be completed/);
  });

  test('tells users that they cancelled', async () => {
    const cancelled = await returned((url) => {
      url.searchParams.delete('code');
      url.searchParams.set('error', 'access_denied');
    });
    expect(cancelled).toBe('/signed-in?problem=ACCESS_SSO_CANCELLED');
  });
});

describe('an ID token', () => {
  test.each([
    ['of another issuer', (claims: object) => ({ ...claims, iss: 'https://evil.example' })],
    ['for another client', (claims: object) => ({ ...claims, aud: 'another' })],
    ['with another nonce', (claims: object) => ({ ...claims, nonce: 'another' })],
    ['without a nonce', (claims: object) => ({ ...claims, nonce: undefined })],
    ['that has expired', (claims: object) => ({ ...claims, exp: 1_700_000_000 })],
    ['that is not valid yet', (claims: object) => ({ ...claims, nbf: 4_000_000_000 })],
  ])('%s is refused', async (_, tamper) => {
    provider.tamper = tamper;
    expect(await returned(() => {})).toBe(failed);
  });

  test('with a signature of somebody else is refused', async () => {
    provider.tamper = (claims) => claims;
    provider.signsWith = (await generateKeyPair('ES256')).privateKey;
    expect(await returned(() => {})).toBe(failed);
  });
});

test('refusals are recorded, a minute of them in one row', async () => {
  for (let times = 0; times < 3; times++)
    await browser().open(`${service.url}/service/auth/sso/callback?state=1`);
  await service.context.delayedSignIns.flush();
  const { items } = (await service.get('/service/access-events?limit=50')).json.data;
  expect(items).toContainEqual(
    expect.objectContaining({
      kind: 'sign-in.failed',
      detail: expect.objectContaining({ method: 'provider', reason: 'state', repeated: expect.any(Number) }),
    }),
  );
});
