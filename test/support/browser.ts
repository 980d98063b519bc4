import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject } from 'vitest';
import { newId, sharedService, TestService } from './service.js';
import { timed } from './setup-costs.js';

/** Where tests store screenshots: of failed tests, and of the others only if asked to. */
const picturesDir = join(import.meta.dirname, '../../node_modules/.cache/pictures');
const takesPictures = process.env.ROLLCALL_TEST_PICTURES === '1';

type Role = 'viewer' | 'operator' | 'administrator';

type Colours = 'light' | 'dark';

export interface UserWithPassword {
  readonly serial: string;
  readonly username: string;
  readonly password: string;
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colours?: Colours;
}

const phone = { width: 390, height: 800 };
/** What a window of 1280 pixels shows at a zoom of 200 %. */
export const zoomed = { width: 640, height: 400 };

interface BrowserSession {
  readonly cookie: Parameters<BrowserContext['addCookies']>[0][number];
  readonly stored: string;
}

/** The service with its console, and a browser. */
export class Site {
  readonly service: TestService;
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  readonly #sessions = new Map<Role, Promise<BrowserSession>>();
  #page: Promise<Page> | undefined;

  constructor(service: TestService, browser: Browser) {
    this.service = service;
    this.#browser = browser;
  }

  /** A user with a role and their own password, which doesn't have to be changed. */
  async givenUserWithPassword(
    role: Role | null,
    overrides: Record<string, unknown> = {},
  ): Promise<UserWithPassword> {
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

  /** A page in a browser context of its own, with nobody signed in. Any error on it fails the test. */
  newPage(locale = 'en-GB'): Promise<Page> {
    return timed('open page', async () => {
      const context = await this.#browser.newContext({
        baseURL: this.service.url,
        viewport: desktop,
        locale,
        timezoneId: 'Europe/Berlin',
        acceptDownloads: true,
        reducedMotion: 'reduce',
      });
      context.setDefaultTimeout(120_000); // a guard against hangs, as in vitest.config.ts
      this.#contexts.push(context);
      context.on('weberror', (error) => {
        throw new Error(`error on the page: ${error.error().message}`);
      });
      context.on('console', (message) => {
        if (/content security policy/i.test(message.text()))
          throw new Error(`content security policy violation: ${message.text()}`);
      });
      return context.newPage();
    });
  }

  /** Signs in through the form, like a user. */
  async signIn(page: Page, { username, password }: Pick<UserWithPassword, 'username' | 'password'>) {
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /**
   * The page that the tests of a file share, with nothing left of the previous test. Signed in is the same user with
   * this role each time, or the given one. The sign-in form has tests of its own.
   */
  async signedIn(
    who: Role | UserWithPassword,
    path = '/users',
    { width = desktop.width, height = desktop.height, colours = 'light' }: PageOptions = {},
  ): Promise<Page> {
    const session = await this.#sessionOf(who);
    const page = await this.#emptiedPage();
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: colours });
    await page.context().addCookies([session.cookie]);
    await page.evaluate((value) => localStorage.setItem('rollcall.session', value), session.stored);
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    return page;
  }

  /** The same page with nobody signed in. */
  async signedOut(path: string): Promise<Page> {
    const page = await this.#emptiedPage();
    await page.setViewportSize(desktop);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(path);
    return page;
  }

  async #emptiedPage(): Promise<Page> {
    this.#page ??= this.newPage();
    const page = await this.#page;
    for (const other of page.context().pages()) if (other !== page) await other.close();
    await page.unrouteAll();
    await page.context().clearCookies();
    await page.goto('/healthz'); // of the same origin, but without the console, which could change its storage
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
      return new Promise((resolve) => {
        indexedDB.deleteDatabase('rollcall.work').onsuccess = resolve;
      }).then(() => undefined);
    });
    return page;
  }

  /** What the browser of someone has who has signed in. */
  #sessionOf(who: Role | UserWithPassword): Promise<BrowserSession> {
    const signIn = async (user: Promise<UserWithPassword> | UserWithPassword) => {
      const { username, password } = await user;
      const { json } = await this.service.signIn(username, password);
      const { accessToken: value, sessionId: id, ...session } = json.data;
      const { serial, scopes, mustChangePassword, secondFactor } = session;
      const { url } = this.service;
      return {
        cookie: {
          name: `rollcall-local${new URL(url).port}`,
          value,
          url,
          httpOnly: true,
          sameSite: 'Strict',
        } as const,
        stored: JSON.stringify({ id, serial, scopes, mustChangePassword, secondFactor }),
      };
    };
    if (typeof who !== 'string') return signIn(who);
    const session = this.#sessions.get(who) ?? signIn(this.givenUserWithPassword(who));
    this.#sessions.set(who, session);
    return session;
  }

  /** Of whoever is signed in there, for a request beside the console. */
  async tokenOf(page: Page): Promise<string> {
    const [cookie] = await page.context().cookies();
    if (!cookie) throw new Error('nobody is signed in');
    return cookie.value;
  }

  /** Goes to another page as a link does: the console stays loaded. */
  async visit(page: Page, path: string): Promise<void> {
    await page.evaluate((to) => history.pushState(null, '', to), path);
  }

  async screenshot(page: Page, name: string): Promise<void> {
    if (takesPictures) await takePicture(page, name);
  }

  /** Prints what a contributor needs to know about a failed test: what its pages showed. */
  async reportFailure(test: string): Promise<void> {
    for (const [number, page] of this.#contexts.flatMap((context) => context.pages()).entries()) {
      const path = await takePicture(page, `failed-${test.replace(/\W+/g, '-')}-${number + 1}`);
      const text = await page.evaluate(() => document.body.innerText).catch(() => '');
      console.error(`${page.url()} looked like ${path}\n${text.replace(/\s*\n\s*/g, '\n').slice(0, 2_000)}`);
    }
  }

  /**
   * For each page once: checks the rules of WCAG 2.2 AA that can be checked automatically in a large window with light
   * colors and on a phone with dark ones, and that it fits there and at a zoom of 200 %. Takes pictures of both.
   */
  async expectAccessiblePage(page: Page, name: string): Promise<void> {
    await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
    const [before, scheme] = [page.viewportSize() ?? desktop, await schemeOf(page)];
    await page.setViewportSize(desktop);
    await expectRules(page, 'light');
    await this.screenshot(page, name);
    await page.setViewportSize(phone);
    await expectRules(page, 'dark');
    await expectToFit(page);
    await this.screenshot(page, `${name}-phone`);
    await page.setViewportSize(zoomed);
    await expectToFit(page);
    await page.setViewportSize(before);
    await page.emulateMedia({ colorScheme: scheme });
  }

  /** For a dialog, or another state of a page: checks the same rules, without what all pages have in common. */
  async expectAccessible(page: Page, name: string): Promise<void> {
    await expectRules(page, await schemeOf(page), ['header', 'nav']);
    await this.screenshot(page, name);
  }

  /** The same for an HTML file that the console has made. It has the same colours everywhere. */
  async expectAccessibleFile(page: Page): Promise<void> {
    await expectNoViolations(page, 'in a file');
  }

  async closePages(): Promise<void> {
    this.#page = undefined;
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
  }
}

const desktop = { width: 1280, height: 800 };

const rules: axe.RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

async function schemeOf(page: Page): Promise<Colours> {
  return (await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)) ? 'dark' : 'light';
}

/** What a dialog covers has been checked without it, and the rows of a table or list are alike. */
async function expectRules(page: Page, scheme: Colours, excluded: readonly string[] = []): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
  await expectNoViolations(page, `in ${scheme} colours`, excluded);
}

async function expectNoViolations(
  page: Page,
  where: string,
  excluded: readonly string[] = [],
): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async ([runOnly, excluded]) => {
      const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
      await Promise.allSettled(transitions.map(({ finished }) => finished));
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      const dialog = document.querySelector('[role="dialog"]:not([aria-hidden="true"])');
      const context = {
        include: [dialog ?? document],
        exclude: ['tbody tr:nth-of-type(n + 5)', 'main li:nth-of-type(n + 7)', ...excluded],
      };
      const results = await run(context as axe.ElementContext, {
        runOnly,
        resultTypes: ['violations'],
        preload: false,
      });
      return results.violations.map(({ id, help, nodes }) => ({
        id,
        help,
        nodes: nodes.slice(0, 5).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
      }));
    },
    [rules, excluded] as const,
  );
  const { width } = page.viewportSize() ?? desktop;
  expect(violations, `${where}, ${width} pixels wide, on ${page.url()}`).toEqual([]);
}

/** That the page isn't wider than the window, and that no button covers another. A layout may take a moment. */
export async function expectToFit(page: Page): Promise<void> {
  const misfits = () =>
    page.evaluate(() => {
      const buttons = [...document.querySelectorAll<HTMLElement>('main button')].filter(
        (button) => button.offsetParent !== null,
      );
      const overlap = (one: HTMLElement, other: HTMLElement) => {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        return x > 1 && y > 1 && !one.contains(other) && !other.contains(one);
      };
      const covered = buttons.flatMap((one, index) =>
        buttons
          .slice(index + 1)
          .filter((other) => overlap(one, other))
          .map((other) => `${one.textContent} / ${other.textContent}`),
      );
      const excess = document.documentElement.scrollWidth - innerWidth;
      return excess > 0 ? [`${excess} pixels too wide`, ...covered] : covered;
    });
  const { width } = page.viewportSize() ?? desktop;
  await expect.poll(misfits, { message: `${width} pixels wide, on ${page.url()}` }).toEqual([]);
}

async function takePicture(page: Page, name: string): Promise<string> {
  mkdirSync(picturesDir, { recursive: true });
  const path = join(picturesDir, `${name}.png`);
  await page.screenshot({ path });
  return path;
}

/**
 * Playwright turns off the sandbox, which doesn't work as root, and all background activity of the browser. The flags
 * that `@sparticuz/chromium` suggests draw with an emulated GPU, which takes as long as the tests themselves.
 */
const flags = ['--disable-gpu', '--font-render-hinting=none'];

let browser: Promise<Browser> | undefined;

/** One browser for all files of a worker. It ends with the worker. */
function sharedBrowser(): Promise<Browser> {
  const found = inject('browser');
  if (found.kind === 'none') throw new Error('no browser found; the test should have been skipped');
  browser ??= timed('start browser', () =>
    chromium.launch({ executablePath: found.path, args: flags, headless: true, timeout: 0 }),
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
  reportFailures(() => site);
  afterAll(() => site?.closePages());
  return standIn(() => site);
}

/** A service with its console for one file only: with other settings, or for tests that depend on who else exists. */
export function useOwnSite(
  environment: Record<string, string> | (() => Promise<Record<string, string>>) = {},
): Site {
  let site: Site | undefined;
  beforeAll(async () => {
    const settings = typeof environment === 'function' ? await environment() : environment;
    const [service, running] = await Promise.all([TestService.start(settings), sharedBrowser()]);
    site = new Site(service, running);
  });
  reportFailures(() => site);
  afterAll(async () => {
    await site?.closePages();
    await site?.service.stop();
  });
  return standIn(() => site);
}

function reportFailures(site: () => Site | undefined): void {
  beforeEach(({ task, onTestFailed }) => onTestFailed(() => site()?.reportFailure(task.name)));
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
