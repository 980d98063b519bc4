import { readFileSync } from 'node:fs';

/** The version of the package, the API and the command, which are released together. */
export const version: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;
