import type { SourceProblem } from './source-problem.js';

/** Where the file of a feed comes from. Uploaded files need no reader. */
export type FeedSource =
  | {
      readonly type: 'https';
      readonly url: string;
      readonly auth: 'none' | 'bearer' | 'basic';
      /** For `basic`. */
      readonly username: string | null;
    }
  | {
      readonly type: 'sftp';
      readonly host: string;
      readonly port: number;
      readonly username: string;
      /** The last segment may contain `*`: the newest matching file. */
      readonly path: string;
      /** `SHA256:…`, as `ssh-keygen -lf` prints it. Without it, no connection is made. */
      readonly hostKey: string | null;
      readonly auth: 'password' | 'key';
    }
  | {
      readonly type: 's3';
      /** `https://s3.eu-central-1.amazonaws.com`, or that of any compatible service. */
      readonly endpoint: string;
      readonly region: string;
      readonly bucket: string;
      /** May contain `*`, which stands for anything but a slash: the newest matching object. */
      readonly key: string;
      readonly accessKeyId: string;
    }
  | {
      readonly type: 'folder';
      /** Relative to the folder that the service is given. The last segment may contain `*`. */
      readonly path: string;
    }
  | { readonly type: 'upload' };

/** In clear, only while a file is being read: a token, a password, a private key or a secret access key. */
export interface SourceSecret {
  readonly secret: string | null;
  /** Of an encrypted private key. */
  readonly passphrase: string | null;
}

/** Enough to notice that the file is a new one. */
export interface FileVersion {
  /** Without its folder. */
  readonly name: string;
  readonly etag: string | null;
  readonly modifiedAt: string | null;
  /** Null if the source doesn't say. */
  readonly bytes: number | null;
}

export type OpenedSource =
  /** There is nothing newer than the known version. */
  | { readonly status: 'unchanged' }
  | { readonly status: 'missing' }
  | {
      readonly status: 'file';
      readonly version: FileVersion;
      /** Throws SourceFailed if it ends early, takes too long, or changes while it is read. Can be read once. */
      readonly bytes: AsyncIterable<Uint8Array>;
    }
  | { readonly status: 'failed'; readonly problem: SourceProblem };

export interface SourceReader {
  /** The signal also ends the reading of the bytes. What is not read in time is closed. */
  open(
    source: FeedSource,
    secret: SourceSecret,
    known: FileVersion | null,
    signal: AbortSignal,
  ): Promise<OpenedSource>;
}

/** Without an ETag or a time there is no telling, so the file counts as a new one. */
export function isSameVersion(found: FileVersion, known: FileVersion | null): boolean {
  if (known === null || found.name !== known.name) return false;
  if (found.etag !== null && known.etag !== null) return found.etag === known.etag;
  return found.modifiedAt !== null && found.modifiedAt === known.modifiedAt && found.bytes === known.bytes;
}

/** Of the files that match a pattern: if the newest is gone, an older one must not replace its data. */
export function isOlderVersion(found: FileVersion, known: FileVersion | null): boolean {
  const [foundAt, knownAt] = [found.modifiedAt, known?.modifiedAt ?? null];
  return foundAt !== null && knownAt !== null && Date.parse(foundAt) < Date.parse(knownAt);
}
