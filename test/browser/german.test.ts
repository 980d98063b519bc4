import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import * as german from '../../console/src/copy/de/index.js';
import * as english from '../../console/src/copy/en/index.js';
import { expectToFit, useSite } from '../support/browser.js';
import { newId } from '../support/service.js';

const site = useSite();

function textsOf(catalogue: object): string[] {
  return Object.values(catalogue).flatMap((value: unknown) => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? textsOf(value) : [];
  });
}

const germanTexts = new Set(textsOf(german));
const onlyEnglish = new Set(textsOf(english).filter((text) => !germanTexts.has(text)));

/** The lines that the page shows or announces. */
async function linesOf(page: Page): Promise<string[]> {
  const found = await page.evaluate(() => {
    const labels = [...document.querySelectorAll('[aria-label], [placeholder], [title]')].flatMap((element) =>
      ['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name) ?? ''),
    );
    return [document.title, ...labels, ...document.body.innerText.split('\n')];
  });
  return found.map((line) => line.trim()).filter((line) => line !== '');
}

async function expectGerman(page: Page): Promise<void> {
  await expect.poll(async () => (await linesOf(page)).length).toBeGreaterThan(5);
  expect((await linesOf(page)).filter((line) => onlyEnglish.has(line))).toEqual([]);
}

async function languageOf(serial: string): Promise<unknown> {
  return (await site.service.get(`/service/users/${serial}/language`)).json.data.language;
}

test('a German browser gets a German console, on a phone as well', { tags: 'release' }, async () => {
  const taken = await site.service.givenUser({ username: newId('user') });
  const ada = await site.service.givenUser({ organizationSerial: 'ORG7', tagSerials: ['T1'] });
  const user = await site.givenUserWithPassword('administrator');
  const page = await site.newPage('de-DE');
  await page.goto('/users');
  await page.getByRole('heading', { level: 1, name: 'Bei Rollcall anmelden' }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
  const signIn = async (password: string) => {
    await page.getByLabel('Benutzername oder Personalnummer').fill(user.username);
    await page.getByLabel('Passwort', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Anmelden' }).click();
  };
  await signIn('wrong');
  await page.getByText('Der Name oder das Passwort ist falsch').waitFor();
  await expectGerman(page);

  await signIn(user.password);
  await page.getByRole('heading', { level: 1, name: 'Benutzer' }).waitFor();
  await page.getByRole('searchbox').fill(ada.employeeID);
  await page
    .getByText(/^1 von \d+ Benutzern gefunden$/)
    .first()
    .waitFor();
  await expectGerman(page);
  await site.expectAccessiblePage(page, 'german-users');

  await page.getByRole('link', { name: 'Ada Lovelace' }).click();
  await page.locator('input[name="username"]').fill(taken.username as string);
  await page.getByText('Nicht gespeichert: Benutzername').waitFor();
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page
    .getByText(`Der Benutzername „${taken.username}“ ist bereits an einen anderen Benutzer vergeben.`)
    .waitFor();
  await page.getByLabel('Sprache der Nachrichten').selectOption('Español');
  await page.getByText('Sprache der Nachrichten an Ada Lovelace: Español.').waitFor();
  await expectGerman(page);
  await site.expectAccessiblePage(page, 'german-user');
  await page.setViewportSize({ width: 390, height: 800 });

  // Another language loads the page again, which would lose the change.
  const changeLanguage = async (name: string) => {
    await page.getByRole('button', { name: 'Ihr Konto' }).click();
    await page.getByRole('menuitemradio', { name }).click();
  };
  await changeLanguage('Español');
  const leaving = page.getByRole('dialog', { name: 'Änderungen verwerfen?' });
  await leaving.getByRole('button', { name: 'Weiter bearbeiten' }).click();
  await leaving.waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('input[name="username"]').inputValue()).toBe(taken.username);
  await changeLanguage('Español');
  await leaving.getByRole('button', { name: 'Änderungen verwerfen' }).click();
  await page.getByRole('link', { name: 'Historial' }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('es');
  expect(await languageOf(user.serial)).toBe('es'); // messages follow the console
  expect(await languageOf(ada.serial)).toBe('es');
  await expectToFit(page);
});
