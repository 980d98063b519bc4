import { count } from '../terminal/numbers.js';
import { shellQuoted } from '../terminal/shell-quoted.js';
import { sanitize } from '../terminal/text-width.js';
import type { Entry } from './directory.js';

export function formatEntry(entry: Entry): [name: string, value: string][] {
  return [
    ['serial', entry.serial],
    ['name', entry.displayName ?? ''],
    ...(entry.parentSerial === undefined
      ? []
      : [['parent', entry.parentSerial ?? ''] satisfies [string, string]]),
    ['users', formatUsers(entry.users, 'total')],
    ['active', formatUsers(entry.users, 'active')],
  ];
}

/** "42", or "~42" if many users have just changed. */
export function formatUsers(users: Entry['users'], which: 'total' | 'active'): string {
  return `${users.isExact ? '' : '~'}${count(users[which])}`;
}

/** "ORG7 (Sales, Berlin)" */
export function formatNamed({ serial, displayName }: Pick<Entry, 'serial' | 'displayName'>): string {
  return `${formatSerial(serial)}${displayName === null ? '' : ` (${sanitize(displayName)})`}`;
}

/** In a sentence or as the value of an option; quoted if it has spaces or other punctuation. */
export function formatSerial(serial: string): string {
  return shellQuoted(sanitize(serial));
}

/** A command to paste, with the serial before the options, as in the help, unless it looks like an option itself. */
export function commandWith(command: string, serial: string, options = ''): string {
  const word = formatSerial(serial);
  const words = word.startsWith('-') ? [command, options, '--', word] : [command, word, options];
  return words.filter((each) => each !== '').join(' ');
}
