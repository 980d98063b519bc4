import { readFileSync } from 'node:fs';

/** Of the package, the API and the command: they are released together. */
export const version: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;
