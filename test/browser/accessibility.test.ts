import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSite } from '../support/browser.js';
import { anItem, newId } from '../support/service.js';

const site = useSite();

const phone = { width: 390, height: 800 };
/** What a window of 1280 pixels shows at a zoom of 200 %. */
const zoomed = { width: 640, height: 400 };

test('all pages are accessible on a phone and at a zoom of 200 %, and none is wider than the window', async () => {
  const { service } = site;
  const ada = await service.givenUser({
    employeeID: newId('E0001000200030004'),
    name: 'Ada Lovelace-Byron King',
  });
  await service.updateBulk([anItem(ada, { phone: '+1 202 555 0147' })]);
  const { items } = (await service.get('/service/calls?limit=1')).json.data;
  const page = await site.signedIn('administrator', phone);
  const pages = [
    '/users',
    '/users/new',
    `/users/${ada.serial}`,
    `/users/${ada.serial}?tab=history`,
    '/organizations',
    '/tags',
    '/activity/calls',
    `/activity/calls/${items[0].id}`,
    '/activity/sign-ins',
    '/activity/deliveries?state=all',
    '/activity/clients',
    '/activity/webhooks',
    '/account',
  ];
  for (const path of pages) {
    await page.setViewportSize(phone);
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
    await site.expectAccessible(page);
    await expectToFit(page);
    await site.screenshot(page, `phone${path.replace(/[\da-f-]{36}/, 'one').replace(/\W+/g, '-')}`);
    await page.setViewportSize(zoomed);
    await site.expectAccessible(page, ['light']);
    await expectToFit(page);
  }
});

async function expectToFit(page: Page): Promise<void> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(excess, page.url()).toBeLessThanOrEqual(0);
  expect(await overlappingButtons(page), page.url()).toEqual([]);
}

/** Pairs of buttons that cover each other. */
function overlappingButtons(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const buttons = [...document.querySelectorAll<HTMLElement>('main button')].filter(
      (button) => button.offsetParent !== null,
    );
    const overlap = (one: HTMLElement, other: HTMLElement) => {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const [x, y] = [
        Math.min(a.right, b.right) - Math.max(a.left, b.left),
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
      ];
      return x > 1 && y > 1 && !one.contains(other) && !other.contains(one);
    };
    return buttons.flatMap((one, index) =>
      buttons
        .slice(index + 1)
        .filter((other) => overlap(one, other))
        .map((other) => `${one.textContent} / ${other.textContent}`),
    );
  });
}
