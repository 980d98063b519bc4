import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { newId, sharedService, TestService } from './service.js';
import { timed } from './setup-costs.js';

/** Where tests store screenshots. Only if asked to: most runs are not looked at. */
const picturesDir = join(import.meta.dirname, '../../node_modules/.cache/pictures');
const takesPictures = process.env.ROLLCALL_TEST_PICTURES === '1';

type StorageState = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>;

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
  /** Who is signed in from the start. */
  readonly person?: PersonWhoSignsIn;
}

/** The service with its console, and a browser. */
export class Site {
  readonly service: TestService;
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  readonly #people = new Map<Role, Promise<PersonWhoSignsIn>>();

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
  newPage(options: SignedInOptions = {}): Promise<Page> {
    return timed('open page', () => this.#newPage(options));
  }

  async #newPage(options: SignedInOptions): Promise<Page> {
    const { width = 1280, height = 800, colours = 'light', locale = 'en-GB', person } = options;
    const context = await this.#browser.newContext({
      baseURL: this.service.url,
      ...(person ? { storageState: await this.#sessionOf(person) } : {}),
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

  /** The storage of a browser in which the person has signed in. */
  async #sessionOf({ username, password }: PersonWhoSignsIn): Promise<StorageState> {
    const { json } = await this.service.signIn(username, password);
    const { accessToken: token, serial, scopes, mustChangePassword } = json.data;
    const value = JSON.stringify({ token, serial, scopes, mustChangePassword });
    const origin = new URL(this.service.url).origin;
    return { cookies: [], origins: [{ origin, localStorage: [{ name: 'rollcall.session', value }] }] };
  }

  /** A page of someone with this role, the same person each time. The sign-in form has tests of its own. */
  async signedIn(role: Role, options: Omit<SignedInOptions, 'person'> = {}): Promise<Page> {
    const person = this.#people.get(role) ?? this.givenPerson(role);
    this.#people.set(role, person);
    const page = await this.newPage({ ...options, person: await person });
    await page.goto('/users');
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    return page;
  }

  async screenshot(page: Page, name: string): Promise<void> {
    if (!takesPictures) return;
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
          // The rows of a table are alike.
          const context = { exclude: ['tbody tr:nth-of-type(n + 5)'] };
          const results = await run(context, { runOnly, resultTypes: ['violations'], preload: false });
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
function launchOptions(): LaunchOptions {
  const found = inject('browser');
  if (found.kind === 'none') throw new Error('no browser found; the test should have been skipped');
  if (found.kind === 'installed') {
    return { executablePath: found.path, args: ['--disable-dev-shm-usage', '--disable-gpu'] };
  }
  return {
    executablePath: found.path,
    args: sparticuz.args.filter((argument) => !crashing.includes(argument)),
  };
}

let browser: Promise<Browser> | undefined;

/** One browser for all files of a worker. It ends with the worker. */
function sharedBrowser(): Promise<Browser> {
  browser ??= timed('start browser', () =>
    chromium.launch({ ...launchOptions(), headless: true, timeout: 0 }),
  );
  return browser;
}

const sites = new Map<TestService, Site>();

async function sharedSite(environment: Record<string, string>): Promise<Site> {
  const [service, running] = await Promise.all([sharedService(environment), sharedBrowser()]);
  const site = sites.get(service) ?? new Site(service, running);
  sites.set(service, site);
  return site;
}

/** The service that the files of a worker share, with its console, for tests that use only users of their own. */
export function useSite(environment: Record<string, string> = {}): Site {
  let site: Site | undefined;
  beforeAll(async () => {
    site = await sharedSite(environment);
  });
  afterAll(() => site?.closePages());
  return standIn(() => site);
}

/** A service with its console for one file only: with other settings, or for tests that depend on who else exists. */
export function useOwnSite(environment: Record<string, string> = {}): Site {
  let site: Site | undefined;
  beforeAll(async () => {
    const [service, running] = await Promise.all([TestService.start(environment), sharedBrowser()]);
    site = new Site(service, running);
  });
  afterAll(async () => {
    await site?.closePages();
    await site?.service.stop();
  });
  return standIn(() => site);
}

/** Lets a file refer to its site before it runs. */
function standIn(site: () => Site | undefined): Site {
  return new Proxy({} as Site, {
    get: (_, property) => {
      const started = site();
      if (!started) throw new Error('the site has not been started yet');
      const value = Reflect.get(started, property, started);
      return typeof value === 'function' ? value.bind(started) : value;
    },
  });
}
