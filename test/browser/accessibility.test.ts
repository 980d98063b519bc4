import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSite } from '../support/browser.js';
import { anItem, newId } from '../support/service.js';

const site = useSite();

/** What a browser window of 1280 pixels shows at a zoom of 200 %. */
const zoomed = 640;
const phone = 390;

test.each([
  ['on a phone', phone],
  ['at a zoom of 200 %', zoomed],
])('all pages are accessible %s, and none is wider than the window', async (_where, width) => {
  const { service } = site;
  const ada = await service.givenUser({ employeeID: newId('E-0001-long-'), name: 'Ada Lovelace-Byron King' });
  await service.updateBulk([anItem(ada, { phone: '+1 202 555 0147' })]);
  const { items } = (await service.get('/service/calls?limit=1')).json.data;
  const page = await site.signedIn('administrator', { width, height: 800 });
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
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await expect.poll(() => loadingIn(page)).toBe(0);
    await site.expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
    expect(await overlappingButtons(page), path).toEqual([]);
    await site.screenshot(page, `all-${width}-${path.replace(/\W+/g, '-')}`);
  }
});

function loadingIn(page: Page): Promise<number> {
  return page.getByLabel('Loading').count();
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
