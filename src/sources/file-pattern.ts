import { SourceFailed } from '../domain/feeds/source-problem.js';

/** A file that a folder or bucket lists. */
export interface ListedFile {
  readonly name: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** More files than this are not compared: the path should say which ones are meant. */
export const listedFilesMax = 100_000;

export function hasWildcard(pattern: string): boolean {
  return pattern.includes('*');
}

/** Whether a name matches a pattern, in which `*` stands for anything but a slash. */
export function matcherOf(pattern: string): (name: string) => boolean {
  const source = pattern.split(/\*+/).map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  if (source.length > 1 + wildcardsMax) throw new SourceFailed({ code: 'invalid_path' });
  const expression = new RegExp(`^${source.join('[^/]*')}$`, 'su');
  return (name) => name.length <= nameMaxLength && expression.test(name);
}

/** Each wildcard multiplies the time that a long name can take. With these, it is a few milliseconds. */
const wildcardsMax = 2;
const nameMaxLength = 1_024;

/** Hidden files, files that are still being uploaded, and empty ones, which are placeholders. */
export function isReady({ name, bytes }: ListedFile): boolean {
  const ownName = name.slice(name.lastIndexOf('/') + 1);
  return bytes > 0 && ownName !== '' && !ownName.startsWith('.') && !/\.(?:partial|tmp)$/i.test(ownName);
}

/** The newer one. Of two that are equally old, the last in the order of names. */
export function newerOf<F extends ListedFile>(best: F | undefined, each: F): F {
  if (best === undefined || each.modifiedMs > best.modifiedMs) return each;
  return each.modifiedMs === best.modifiedMs && each.name > best.name ? each : best;
}
