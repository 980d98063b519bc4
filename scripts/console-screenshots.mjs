import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { SMTPServer } from 'smtp-server';
import { runnerImport } from 'vite';
import { readConfig } from '../dist/config.js';
import { createLogger } from '../dist/logger.js';
import { startService } from '../dist/main.js';
import { makeHistory, password } from './screenshots/history.mjs';
import { pagesOf } from './screenshots/pages.mjs';

// Takes the pictures in docs/console, of a made-up company. Build first: npm run build.

const target = new URL('../docs/console/', import.meta.url).pathname;
const size = { width: 1200, height: 750 };
const bytesMax = 60_000;

/** Accepts every message, so that the console doesn't warn that nobody gets any. */
const mail = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _, done) => stream.on('end', done).resume(),
});
await new Promise((resolve) => mail.listen(0, '127.0.0.1', resolve));

const dataDir = mkdtempSync(join(tmpdir(), 'rollcall-pictures-'));
const config = readConfig({
  HOST: '127.0.0.1',
  PORT: '0',
  ROLLCALL_DATA_DIR: dataDir,
  SMTP_URL: `smtp://127.0.0.1:${mail.server.address().port}`,
  SMS_GATEWAY_URL: 'http://127.0.0.1:9/',
  ROLLCALL_TIME_ZONE: 'Europe/Amsterdam',
  ROLLCALL_WEBHOOKS_AT_ONCE: '0',
  ROLLCALL_SAFETY_LIMIT_PERCENT: '20',
});
const service = await startService(config, createLogger({ ...config, logLevel: 'error' }));
await service.ready;
const browser = await chromium.launch({ executablePath: await browserPath() });
try {
  const made = await makeHistory(service, await requester());
  mkdirSync(target, { recursive: true });
  await takeAll(made);
} finally {
  await browser.close();
  await service.stop();
  mail.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function takeAll(made) {
  const context = await browser.newContext({
    ...{ baseURL: service.url, viewport: size, locale: 'en-GB' },
    ...{ timezoneId: 'Europe/Amsterdam', reducedMotion: 'reduce' },
  });
  const page = await context.newPage();
  const camera = await context.newCDPSession(page);
  for (const [name, open] of pagesOf(made)) {
    await open(page, { ...made.administrator, password });
    await page.mouse.move(size.width - 1, size.height - 1);
    await loaded(page);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      await page.waitForTimeout(300); // colors fade
      const picture = await capture(camera);
      writeFileSync(join(target, `${name}-${colorScheme}.webp`), picture);
      console.log(`${name}-${colorScheme}.webp: ${picture.length} bytes`);
    }
  }
  await context.close();
}

async function loaded(page) {
  const isLoading = '.mantine-Skeleton-root, [aria-busy="true"], .mantine-Loader-root';
  await page.waitForFunction((selector) => document.querySelector(selector) === null, isLoading);
  await page.waitForTimeout(1_000); // names that are looked up, and charts
}

/** In the best quality that is small enough. */
async function capture(camera) {
  for (let quality = 90; ; quality -= 10) {
    const { data } = await camera.send('Page.captureScreenshot', { format: 'webp', quality });
    const picture = Buffer.from(data, 'base64');
    if (picture.length <= bytesMax || quality <= 30) return picture;
  }
}

async function browserPath() {
  const { module } = await runnerImport('./test/support/find-browser.ts');
  const isExecutable = (path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  const { platform, arch, env: environment } = process;
  const found = module.findBrowser({ platform, arch, environment, isExecutable });
  if (found.kind === 'installed') return found.path;
  throw new Error('No Chromium or Chrome found. Install one, or set ROLLCALL_TEST_BROWSER to its path.');
}

/** Sends requests as the first client and returns their data. */
async function requester() {
  const { clientId, clientSecret } = JSON.parse(
    readFileSync(join(dataDir, 'first-credentials.json'), 'utf8'),
  );
  const issued = await fetch(`${service.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
    }),
  });
  const { access_token: ownToken } = await issued.json();
  return async (method, path, body, { token = ownToken, fails = false } = {}) => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const reply = await response.json();
    if (!response.ok && !fails) throw new Error(`${method} ${path}: ${JSON.stringify(reply)}`);
    return reply.data;
  };
}
