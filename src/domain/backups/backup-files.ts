/** The names of scheduled backups sort by time. Nothing else in the directory is ever deleted. */
const pattern = /^rollcall-\d{8}T\d{6}Z\.backup$/;

/** For example rollcall-20261116T213000Z.backup. */
export function backupFileName(at: Date): string {
  const time = at.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  return `rollcall-${time}.backup`;
}

/**
 * Which files of a directory to delete so that the newest ones remain, among them the one that was just made: files from
 * a time when the clock was wrong may have later names.
 */
export function outdatedBackups(names: readonly string[], made: string, keep: number): string[] {
  const others = names.filter((name) => pattern.test(name) && name !== made).sort();
  return others.slice(0, Math.max(others.length + 1 - keep, 0));
}

/** Scheduled backups that were never completed. */
export function partialBackups(names: readonly string[]): string[] {
  const suffix = '.partial';
  return names.filter((name) => name.endsWith(suffix) && pattern.test(name.slice(0, -suffix.length)));
}
