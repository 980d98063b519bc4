import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type LaunchOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { newId, TestService } from './service.js';

/** Where tests store screenshots. */
const picturesDir = join(import.meta.dirname, '../../node_modules/.cache/pictures');

type Role = 'viewer' | 'operator' | 'administrator';

export interface PersonWhoSignsIn {
  readonly serial: string;
  readonly username: string;
  readonly password: string;
}

export interface SignedInOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colours?: 'light' | 'dark';
  readonly locale?: string;
}

/** The service with its console, and a browser. */
export class Site {
  readonly service: TestService;
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];

  constructor(service: TestService, browser: Browser) {
    this.service = service;
    this.#browser = browser;
  }

  /** A user with a role and their own password, which doesn't have to be changed. */
  async givenPerson(role: Role | null, overrides: Record<string, unknown> = {}): Promise<PersonWhoSignsIn> {
    const [username, initial, password] = [newId('user'), `Initial ${newId()}`, `Chosen ${newId()}`];
    const { serial } = await this.service.givenUser({ username, password: initial, ...overrides });
    if (role) {
      const given = await this.service.request('PUT', `/service/users/${serial}/role`, { body: { role } });
      if (given.status !== 200) throw new Error(`the role was not set: ${given.text}`);
    }
    const signedIn = await this.service.signIn(username, initial);
    const changed = await this.service.post(
      '/service/auth/change-password',
      { currentPassword: initial, newPassword: password },
      { token: signedIn.json.data.accessToken },
    );
    if (changed.status !== 200) throw new Error(`the password was not changed: ${changed.text}`);
    return { serial, username, password };
  }

  /** A page in a new browser context. Any error on it fails the test. */
  async newPage(options: SignedInOptions = {}): Promise<Page> {
    const { width = 1280, height = 800, colours = 'light', locale = 'en-GB' } = options;
    const context = await this.#browser.newContext({
      baseURL: this.service.url,
      viewport: { width, height },
      colorScheme: colours,
      locale,
      timezoneId: 'Europe/Berlin',
      acceptDownloads: true,
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(120_000); // a guard against hangs, as in vitest.config.ts
    this.#contexts.push(context);
    const page = await context.newPage();
    page.on('pageerror', (error) => {
      throw new Error(`error on the page: ${error.message}`);
    });
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text()))
        throw new Error(`content security policy violation: ${message.text()}`);
    });
    return page;
  }

  /** Signs in through the form, like a user. */
  async signIn(page: Page, { username, password }: Pick<PersonWhoSignsIn, 'username' | 'password'>) {
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  async signedIn(role: Role, options: SignedInOptions = {}): Promise<Page> {
    const [page, person] = [await this.newPage(options), await this.givenPerson(role)];
    await page.goto('/users');
    await this.signIn(page, person);
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    return page;
  }

  async screenshot(page: Page, name: string): Promise<void> {
    mkdirSync(picturesDir, { recursive: true });
    await page.screenshot({ path: join(picturesDir, `${name}.png`) });
  }

  /** Checks the automatable rules of WCAG 2.2 AA in one color scheme, and those about colors in the others. */
  async expectAccessible(
    page: Page,
    colours: readonly ('light' | 'dark')[] = ['light', 'dark'],
  ): Promise<void> {
    const before = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
    for (const [index, scheme] of colours.entries()) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
      await page.evaluate(() =>
        Promise.allSettled(
          document
            .getAnimations()
            .filter((animation) => animation instanceof CSSTransition)
            .map(({ finished }) => finished),
        ),
      );
      const violations = await page.evaluate(
        async (runOnly) => {
          const run = (globalThis as unknown as { axe: typeof axe }).axe.run;
          const results = await run(document, { runOnly });
          return results.violations.map(({ id, help, nodes }) => ({
            id,
            help,
            nodes: nodes
              .slice(0, 5)
              .map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
          }));
        },
        index === 0 ? allRules : colorRules,
      );
      expect(violations, `in ${scheme} colours on ${page.url()}`).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: before ? 'dark' : 'light' });
  }

  async closePages(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
  }
}

const allRules: axe.RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** Another color scheme changes nothing but colors. */
const colorRules: axe.RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Meant for cloud functions. With several pages, a single process soon crashes. */
const crashing = ['--single-process', '--no-zygote'];

/** Playwright turns off the sandbox, which doesn't work as root, and all background activity of the browser. */
async function launchOptions(): Promise<LaunchOptions> {
  const found = inject('browser');
  if (found.kind === 'none') throw new Error('no browser found; the test should have been skipped');
  if (found.kind === 'installed') {
    return { executablePath: found.path, args: ['--disable-dev-shm-usage', '--disable-gpu'] };
  }
  return {
    executablePath: await sparticuz.executablePath(),
    args: sparticuz.args.filter((argument) => !crashing.includes(argument)),
  };
}

let browser: Promise<Browser> | undefined;

/** One browser for all files of a worker. It ends with the worker. */
function sharedBrowser(): Promise<Browser> {
  browser ??= launchOptions().then((options) => chromium.launch({ ...options, headless: true, timeout: 0 }));
  return browser;
}

/** A service with its console, for the current file only. */
export function useSite(environment: Record<string, string> = {}): Site {
  let site: Site | undefined;
  beforeAll(async () => {
    const [service, running] = await Promise.all([TestService.start(environment), sharedBrowser()]);
    site = new Site(service, running);
  });
  afterAll(async () => {
    await site?.closePages();
    await site?.service.stop();
  });
  return new Proxy({} as Site, {
    get: (_, property) => {
      if (!site) throw new Error('the site has not been started yet');
      const value = Reflect.get(site, property, site);
      return typeof value === 'function' ? value.bind(site) : value;
    },
  });
}
