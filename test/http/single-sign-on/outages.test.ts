import { afterEach, describe, expect, test } from 'vitest';
import { CompanyProvider } from '../../support/company-provider.js';
import { expectFailure } from '../../support/expect-failure.js';
import { TestService } from '../../support/service.js';
import { acquaint, VisitingBrowser } from '../../support/visiting-browser.js';

const unavailable = '/signed-in?problem=ACCESS_SSO_UNAVAILABLE';
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function start(prepare: (provider: CompanyProvider) => void | Promise<void> = () => {}) {
  const provider = await CompanyProvider.start();
  stops.push(() => provider.stop());
  await prepare(provider);
  const service = await TestService.start(provider.environment);
  stops.push(() => service.stop());
  acquaint(provider, service);
  const browser = new VisitingBrowser(service);
  const begin = async () => {
    const { location } = await browser.open(`${service.url}/service/auth/sso/start`);
    return location.replace(service.url, '');
  };
  return { provider, service, browser, begin };
}

describe('a provider that does not answer', () => {
  test('keeps nobody waiting who does not sign in with it, and those who do for five seconds', async () => {
    const { service, begin } = await start((provider) => {
      provider.hangs = true;
    });
    const began = Date.now();
    const waiting = [begin(), begin()];
    expect((await service.get('/service/users')).status).toBe(200);
    expect((await service.get('/service/auth/methods', { token: null })).json.data.provider).toEqual({
      name: 'Example Corp',
    });
    expect(await Promise.all(waiting)).toEqual([unavailable, unavailable]);
    expect(Date.now() - began).toBeGreaterThan(4_000);
    expect(await begin()).toBe(unavailable); // at once: the provider has just failed
    const reply = await service.get('/service/auth/sso/start', { token: null });
    expectFailure(reply, 503, 10246, 'ACCESS_SSO_UNAVAILABLE', /^The identity provider of your company/);
    expect(reply.headers.get('retry-after')).toBe('10');
    expect(service.logs).toContain('Nobody can sign in with');
  });

  test('is asked once for all who wait', async () => {
    const { provider, begin } = await start((slow) => {
      slow.hangs = true;
    });
    await Promise.all([begin(), begin(), begin()]);
    expect(provider.requests.filter((each) => each.includes('openid-configuration'))).toHaveLength(1);
  });

  test('is as good as one that is away', async () => {
    const { begin, provider } = await start((gone) => gone.stop());
    expect(await begin()).toBe(unavailable);
    expect(provider.requests).toEqual([]);
  });

  test.each([
    ['hangs', { hangs: true }],
    ['fails', { outage: 503 }],
  ])('and %s when the browser returns', async (_, outage) => {
    const { provider, service, browser } = await start();
    const { employeeID } = await service.givenUser();
    provider.accounts.set('one', { employee_number: employeeID });
    provider.signsIn = 'one';
    const callback = await browser.authorize();
    Object.assign(provider, outage);
    const { location } = await browser.open(callback.href);
    expect(location).toContain(unavailable);
  });
});
