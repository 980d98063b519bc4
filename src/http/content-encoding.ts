import { once } from 'node:events';
import { type Readable, Transform } from 'node:stream';
import { createGunzip, createInflate, createInflateRaw, type Gunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { failure } from '../contract/errors.js';
import { largeBytes } from './large-bodies.js';
import { hasBody } from './request-headers.js';
import { RequestRejected } from './request-rejected.js';

type Encoding = 'gzip' | 'deflate';

/** How the body is compressed; undefined if it isn't. */
export function contentEncoding({ headers }: Pick<FastifyRequest, 'headers'>): Encoding | undefined {
  if (!hasBody(headers)) return undefined;
  switch (headers['content-encoding']?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return 'gzip';
    case 'deflate':
      return 'deflate';
    default:
      throw new RequestRejected(
        failure(
          'REQUEST_MEDIA_TYPE_UNSUPPORTED',
          'Send the body without a Content-Encoding, or compress it with gzip or deflate.',
        ),
        { 'accept-encoding': 'gzip, deflate' },
      );
  }
}

const chunkBytes = 64 * 1024;

/**
 * Decompresses a body while it arrives. Nothing more is decompressed once it exceeds the limit: a few kilobytes can
 * contain gigabytes. A body that becomes large waits until others are done with, since many of them cost a caller nothing.
 */
export async function decompressed(
  raw: Readable,
  encoding: Encoding,
  maxBytes: number,
  admitLarge: () => Promise<void>,
): Promise<Readable> {
  const inflater = encoding === 'gzip' ? createGunzip({ chunkSize: chunkBytes }) : await inflaterFor(raw);
  let bytes = 0;
  let admitted: Promise<void> | undefined;
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      const pass = () => done(bytes > maxBytes ? bodyTooLarge(maxBytes) : null, chunk);
      if (bytes < largeBytes) return pass();
      admitted ??= admitLarge();
      return void admitted.then(pass, done);
    },
  });
  // Fastify compares it with Content-Length.
  const body = Object.assign(counter, { receivedEncodedLength: 0 });
  raw.on('data', (chunk: Buffer) => {
    body.receivedEncodedLength += chunk.length;
  });
  raw.once('error', (error) => body.destroy(error));
  inflater.on('error', (error) => body.destroy(error));
  body.on('error', () => {
    raw.unpipe(inflater).resume(); // the reply is read only after the rest of the request has been sent
    inflater.destroy();
  });
  raw.pipe(inflater).pipe(body);
  return body;
}

/** Most clients send the zlib format, as RFC 9110 says, but some send bare deflate data, which never starts like it. */
async function inflaterFor(raw: Readable): Promise<Gunzip> {
  await once(raw, 'readable');
  const first: Buffer | null = raw.read();
  if (first) raw.unshift(first);
  const isZlib = first !== null && ((first[0] ?? 0) & 0x0f) === 8;
  return isZlib ? createInflate({ chunkSize: chunkBytes }) : createInflateRaw({ chunkSize: chunkBytes });
}

export function bodyTooLarge(limit: number): RequestRejected {
  return new RequestRejected(
    failure(
      'REQUEST_BODY_TOO_LARGE',
      `The body exceeds the limit of ${limit} bytes. Split it into smaller requests.`,
      { limit },
    ),
  );
}
