import type { Rollcall } from './client.js';
import type { Schemas } from './operations.js';

export interface UploadOptions {
  /** For the record. */
  readonly fileName?: string | undefined;
  /** Only reports what the run would do. */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Uploads a CSV, XLSX, JSON or NDJSON file to a feed, and returns the run that begins with it. A stream can be read only
 * once, so its upload is never retried.
 */
export async function uploadFeedFile(
  rollcall: Rollcall,
  key: string,
  bytes: Blob | ReadableStream<Uint8Array>,
  { fileName, dryRun, signal }: UploadOptions = {},
): Promise<Schemas['FeedRun']> {
  const { body } = await rollcall.call('uploadFeedFile', {
    path: { key },
    query: { fileName, dryRun },
    body: bytes as unknown as string, // the type that OpenAPI has for bytes
    signal,
    ...(bytes instanceof Blob ? {} : { retry: false }),
  });
  return body.data;
}
