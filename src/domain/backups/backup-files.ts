/** The names of scheduled backups sort by time. Nothing else in the directory is ever deleted. */
const pattern = /^rollcall-\d{8}T\d{6}Z\.backup$/;

/** For example rollcall-20261116T213000Z.backup. */
export function backupFileName(at: Date): string {
  const time = at.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  return `rollcall-${time}.backup`;
}

/** Which files of a directory to delete so that the newest ones remain. */
export function outdatedBackups(names: readonly string[], keep: number): string[] {
  const backups = names.filter((name) => pattern.test(name)).sort();
  return backups.slice(0, Math.max(backups.length - keep, 0));
}

/** Scheduled backups that were never completed. */
export function partialBackups(names: readonly string[]): string[] {
  const suffix = '.partial';
  return names.filter((name) => name.endsWith(suffix) && pattern.test(name.slice(0, -suffix.length)));
}
