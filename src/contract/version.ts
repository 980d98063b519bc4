import { readFileSync } from 'node:fs';

/** The version of the package, the client and the command, which are released together. */
export const version: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;

/** Changes only when existing callers would have to change: see docs/versioning.md. */
export const apiVersion = 1;
