import { expect, test } from 'vitest';
import { useSite } from '../support/browser.js';

const site = useSite();

test.each(['/docs', '/docs/'])(
  '%s shows the API operations under its own content security policy',
  async (path) => {
    const page = await site.newPage();
    await page.goto(path);
    await page.getByText('/service/users/update-bulk').first().waitFor();
    expect(await page.title()).toBe('Rollcall API');
  },
);
