import { accessSync, constants, statSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { type FoundBrowser, findBrowser, skippedBrowserTests } from './find-browser.js';

declare module 'vitest' {
  interface ProvidedContext {
    browser: FoundBrowser;
  }
}

/** Finds the browser once for all files. Without one, a single line after the summary says why they were skipped. */
export default function setup(project: TestProject): () => void {
  const { platform, arch, env: environment } = process;
  const browser = findBrowser({ platform, arch, environment, isExecutable });
  project.provide('browser', browser);
  if (browser.kind === 'none') project.config.testNamePattern = /(?!)/; // matches no test, so no hook runs either
  return () => {
    if (browser.kind === 'none') console.warn(skippedBrowserTests(platform));
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
