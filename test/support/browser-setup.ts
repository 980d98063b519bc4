import { accessSync, constants, statSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';
import type { TestProject } from 'vitest/node';
import { type FoundBrowser, findBrowser, skippedBrowserTests } from './find-browser.js';

declare module 'vitest' {
  interface ProvidedContext {
    browser: Exclude<FoundBrowser, { kind: 'bundled' }> | { readonly kind: 'bundled'; readonly path: string };
  }
}

/** Finds the browser once for all files. Without one, a single line after the summary says why they were skipped. */
export default async function setup(project: TestProject): Promise<() => void> {
  const { platform, arch, env: environment } = process;
  const found = findBrowser({ platform, arch, environment, isExecutable });
  // Unpacked here: a worker would start what another one has only half unpacked.
  project.provide(
    'browser',
    found.kind === 'bundled' ? { ...found, path: await sparticuz.executablePath() } : found,
  );
  if (found.kind === 'none') project.config.testNamePattern = /(?!)/; // matches no test, so no hook runs either
  return () => {
    if (found.kind === 'none') console.warn(skippedBrowserTests(platform));
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
