import sparticuz from '@sparticuz/chromium';
import type { TestProject } from 'vitest/node';
import { browserOfThisMachine, type FoundBrowser, skippedBrowserTests } from './find-browser.js';

declare module 'vitest' {
  interface ProvidedContext {
    browser: Exclude<FoundBrowser, { kind: 'bundled' }> | { readonly kind: 'bundled'; readonly path: string };
  }
}

/** Finds the browser once for all files. Without one, vitest.config.ts leaves them out, and a line at the end says why. */
export default async function setup(project: TestProject): Promise<() => void> {
  const found = browserOfThisMachine();
  // Unpacked here: a worker would start what another one has only half unpacked.
  project.provide(
    'browser',
    found.kind === 'bundled' ? { ...found, path: await sparticuz.executablePath() } : found,
  );
  return () => {
    if (found.kind === 'none') console.warn(skippedBrowserTests(process.platform));
  };
}
