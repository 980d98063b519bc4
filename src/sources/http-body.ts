import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { SourceFailed, type SourceProblem } from '../domain/feeds/source-problem.js';
import type { FileVersion } from '../domain/feeds/source-reader.js';
import { errorCodeOf } from './error-code.js';
import { timeOf } from './file-version.js';
import { readBytes } from './read-bytes.js';
import type { ReadDeadline } from './read-deadline.js';

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** In the order of preference. */
export const acceptedEncodings = 'gzip, br, deflate';

/** The version of the file in a response. */
export function versionOf(name: string, headers: IncomingHttpHeaders): FileVersion {
  return {
    name,
    etag: headers.etag ?? null,
    modifiedAt: timeOf(Date.parse(headers['last-modified'] ?? '')),
    bytes: encodingOf(headers) === 'identity' ? lengthOf(headers) : null,
  };
}

/** The decoded body of a response. Throws SourceFailed if it is too large or if its end could not be told. */
export function bodyOf(
  response: IncomingMessage,
  bytesMax: number,
  deadline: ReadDeadline,
): AsyncIterable<Uint8Array> {
  const { headers } = response;
  const length = lengthOf(headers);
  if (length === null && headers['transfer-encoding'] === undefined) {
    throw new SourceFailed({ code: 'length_unknown' });
  }
  if (length !== null && length > bytesMax) throw new SourceFailed({ code: 'too_large', bytesMax });
  return readBytes(decoded(response), { deadline, bytesMax, problemOf: bodyProblem });
}

function decoded(response: IncomingMessage): AsyncIterable<Uint8Array> {
  const encoding = encodingOf(response.headers);
  if (encoding === 'identity') return response;
  const decoder = decoders[encoding]?.();
  if (decoder === undefined) throw new SourceFailed({ code: 'unknown_encoding' });
  // Errors end the iteration of the decoder.
  return pipeline(response, decoder, () => {});
}

function encodingOf(headers: IncomingHttpHeaders): string {
  return headers['content-encoding']?.trim().toLowerCase() || 'identity';
}

function lengthOf(headers: IncomingHttpHeaders): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}

function bodyProblem(error: unknown): SourceProblem {
  const errorCode = errorCodeOf(error) ?? '';
  if (errorCode === 'Z_BUF_ERROR') return { code: 'ended_early' };
  if (/^(?:Z_|ERR_)/.test(errorCode)) return { code: 'corrupt_encoding' };
  if (errorCode.startsWith('HPE_')) return { code: 'invalid_response', errorCode };
  return { code: 'ended_early' };
}
