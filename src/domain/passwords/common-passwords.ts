import { readFileSync } from 'node:fs';

let common: ReadonlySet<string> | undefined;

/** Whether a password, in lower case, is on the bundled list of common passwords. Loaded on first use. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(
    readFileSync(new URL('../../../assets/common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# ')),
  );
  return common.has(password);
}
