import { createRequire } from 'node:module';
import { fieldLimits } from '../../contract/limits.js';

let common: ReadonlySet<string> | undefined;

/**
 * Whether a password, in lowercase, is one of the 18,000 most common ones that are long enough to be chosen. The list is
 * loaded on first use: 50 ms and 13 MB that a start of the service or of a command does not need.
 */
export function isCommonPassword(password: string): boolean {
  common ??= loadCommonPasswords();
  return common.has(password);
}

function loadCommonPasswords(): ReadonlySet<string> {
  const { dictionary }: typeof import('@zxcvbn-ts/language-common') = createRequire(import.meta.url)(
    '@zxcvbn-ts/language-common',
  );
  const passwords = dictionary['passwords-common'];
  return new Set(passwords.filter((password) => password.length >= fieldLimits.chosenPasswordMinLength));
}
