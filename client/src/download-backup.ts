import type { Rollcall } from './client.js';
import { sourceOf } from './streams.js';

/**
 * The bytes of a backup, as they arrive. A connection that breaks before the end is an error of the stream; a backup that
 * was cut off in any other way is recognized when it is read.
 */
export function downloadBackup(
  rollcall: Rollcall,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ReadableStream<Uint8Array>> {
  return sourceOf(rollcall).open('downloadBackup', {
    headers: { accept: 'application/octet-stream, application/json' },
    signal,
  });
}
