import { StartupError } from '../../../storage/errors.js';

/** A file cannot be used as a backup. `message` is a sentence that says why, and what to do. */
export class UnusableBackup extends StartupError {
  override readonly name = 'UnusableBackup';
}

export function damaged(what: string): UnusableBackup {
  return new UnusableBackup(`The backup is damaged or incomplete: ${what}. Use another copy of it.`);
}
