import { SourceFailed } from '../domain/feeds/source-problem.js';
import type { FileVersion } from '../domain/feeds/source-reader.js';

const unstorable = /[\p{Cc}\p{Cs}]/u;
/** What a header can contain. */
const headerText = /^[\x20-\x7e\x80-\xff]*$/;

/** Names are stored, and ETags are also sent back. Throws SourceFailed if that is impossible. */
export function checkedVersion(version: FileVersion): FileVersion {
  const { name, etag } = version;
  if (unstorable.test(name)) throw new SourceFailed({ code: 'invalid_name' });
  if (etag !== null && !headerText.test(etag)) {
    throw new SourceFailed({ code: 'invalid_response', errorCode: null });
  }
  return version;
}

/** Null if the source doesn't say a time, or one that no calendar has. */
export function timeOf(milliseconds: number): string | null {
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
