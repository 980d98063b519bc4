import { expect, test } from 'vitest';
import { useSite } from '../support/browser.js';

const site = useSite();

// test/http/requests/open-pages.test.ts looks for its files without the slash.
test('/docs/ shows the API operations under its own content security policy', async () => {
  const path = '/service/users/update-bulk';
  const page = await site.newPage();
  // With all operations, it takes several seconds of a processor.
  await page.route('**/docs/json', async (route) => {
    const document = await (await route.fetch()).json();
    await route.fulfill({ json: { ...document, paths: { [path]: document.paths[path] } } });
  });
  await page.goto('/docs/');
  await page.getByText(path).first().waitFor();
  expect(await page.title()).toBe('Rollcall API');
});
