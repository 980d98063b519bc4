import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));

test.each(['.', 'test/release'])(
  '%s decides on the install scripts of all platforms, so npm ci shows no warnings',
  (folder) => {
    const packages: Record<string, { hasInstallScript?: boolean }> = read(
      `${folder}/package-lock.json`,
    ).packages;
    const withScripts = Object.keys(packages)
      .filter((path) => packages[path]?.hasInstallScript)
      .map((path) => path.replace(/^.*node_modules\//, ''));
    expect(Object.keys(read(`${folder}/package.json`).allowScripts).sort()).toEqual(withScripts.sort());
  },
);
