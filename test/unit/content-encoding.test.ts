import { Readable } from 'node:stream';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { contentEncoding, decompressed } from '../../src/http/content-encoding.js';
import { RequestRejected } from '../../src/http/request-rejected.js';

const text = JSON.stringify({ items: Array.from({ length: 5_000 }, (_, at) => ({ employeeID: `E${at}` })) });

/** In pieces, as bodies arrive. */
const arriving = (bytes: Buffer, pieceBytes: number) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    })(),
    { objectMode: false },
  );

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('a Content-Encoding', () => {
  const of = (encoding: string, length = '1') =>
    contentEncoding({ headers: { 'content-encoding': encoding, 'content-length': length } });

  test('is gzip, deflate or none, in any case', () => {
    expect(['gzip', 'X-GZIP', 'deflate', 'identity', ''].map((encoding) => of(encoding))).toEqual([
      ...['gzip', 'gzip', 'deflate'],
      ...[undefined, undefined],
    ]);
    expect(of('br', '0')).toBeUndefined(); // there is nothing to decompress
  });

  test.each(['br', 'zstd', 'gzip, gzip', 'gzip, identity'])(
    '%s is rejected, with those that work',
    (encoding) => {
      const rejected = (() => {
        try {
          return of(encoding);
        } catch (error) {
          return error;
        }
      })();
      expect(rejected).toMatchObject({
        failure: {
          error: 'REQUEST_MEDIA_TYPE_UNSUPPORTED',
          detail: expect.stringMatching(/gzip or deflate/),
        },
        headers: { 'accept-encoding': 'gzip, deflate' },
      });
    },
  );
});

describe('a compressed body', () => {
  test.each([
    ['gzip', 'gzip', gzipSync],
    ['deflate in zlib format', 'deflate', deflateSync],
    ['bare deflate', 'deflate', deflateRawSync],
  ] as const)('with %s is read, however it arrives', async (_, encoding, compress) => {
    const bytes = compress(text);
    for (const pieceBytes of [1, 1_000, bytes.length]) {
      const body = await decompressed(arriving(bytes, pieceBytes), encoding, text.length);
      expect(await textOf(body)).toBe(text);
      expect(body).toMatchObject({ receivedEncodedLength: bytes.length });
    }
  });

  test('is no longer decompressed once it exceeds the limit, and its rest is discarded', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    let taken = 0;
    const raw = arriving(bomb, 1_024).on('data', (chunk: Buffer) => {
      taken += chunk.length;
    });
    const limit = 100_000;
    let seen = 0;
    const body = await decompressed(raw, 'gzip', limit);
    const read = (async () => {
      for await (const chunk of body) seen += chunk.length;
    })();
    const rejected = await read.catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(RequestRejected);
    expect(rejected).toMatchObject({ failure: { error: 'REQUEST_BODY_TOO_LARGE', data: { limit } } });
    expect(seen).toBeLessThanOrEqual(limit);
    await expect.poll(() => taken).toBe(bomb.length);
  });

  test.each([
    ['cut off', gzipSync(text).subarray(0, 50)],
    ['not compressed', Buffer.from(text)],
  ])('that is %s fails', async (_, bytes) => {
    const body = await decompressed(arriving(bytes, 1_000), 'gzip', text.length);
    await expect(textOf(body)).rejects.toMatchObject({ code: expect.stringMatching(/^Z_(BUF|DATA)_ERROR$/) });
  });
});
