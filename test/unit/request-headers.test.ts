import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import {
  acceptsJson,
  checkContentType,
  checkRequestSyntax,
  requestId,
} from '../../src/http/request-headers.js';
import { RequestRejected } from '../../src/http/request-rejected.js';

describe('Accept', () => {
  test.each([
    ...['', '*/*', 'application/*', 'APPLICATION/JSON', 'application/json; charset=utf-8'],
    ...['application/json;q=0.1', 'application/json; q=0.001', 'text/html, application/json'],
    ...['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html;q=0.9 , */* ; q=0.1'],
    ...['text/*, application/*;q=0.5', 'text/html;q=0, application/json', '*/*;q=0, application/json;q=0.5'],
    ...['application/*;q=0, application/json', 'application/json, application/json;q=0'],
  ])('allows JSON: %s', (accept) => {
    expect(acceptsJson(accept)).toBe(true);
  });

  test.each([
    ...['text/html', 'text/*', 'application/xml', 'application/jsonp', 'application/problem+json', 'json'],
    ...['application/json;q=0', 'application/json;q=0.000', 'application/json;q=0,*/*'],
    ...['application/json;q=0, application/*', 'application/*;q=0, */*', '*/*;q=0', 'application/json;q=x'],
  ])('excludes JSON: %s', (accept) => {
    expect(acceptsJson(accept)).toBe(false);
  });
});

/** The detail of the rejection; undefined if there is none. */
function rejection(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof RequestRejected)) throw error;
    return `${error.failure.error}: ${error.failure.detail}`;
  }
}

describe('Content-Type', () => {
  const check = (headers: Record<string, string>, takes = ['application/json']) =>
    rejection(() => checkContentType({ headers } as unknown as FastifyRequest, takes));
  const unsupported = 'REQUEST_MEDIA_TYPE_UNSUPPORTED: Send the body as application/json in UTF-8.';

  test.each([
    ...['application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json;'],
    ...['application/json;charset=UTF-8', 'application/json; charset="utf-8"', 'application/json; v'],
    ...['application/json; charset=us-ascii', 'application/json; charset=utf-8; charset=latin1'],
    ...['application/json;odata.metadata=minimal;odata.streaming=true', 'application/json; odata=verbose'],
  ])('can be %s', (type) => {
    expect(check({ 'content-type': type, 'content-length': '2' })).toBeUndefined();
  });

  test.each([
    ...['text/plain', 'text/json', 'application/xml', 'application/x-www-form-urlencoded', 'json', ''],
    ...['multipart/form-data; boundary=x', 'application/merge-patch+json', 'application/jsonx'],
    'application/json, application/json',
  ])('cannot be "%s"', (type) => {
    expect(check({ 'content-type': type })).toBe(unsupported);
  });

  test('is required with a body, and not without one', () => {
    expect(check({ 'content-length': '1' })).toBe(unsupported);
    expect(check({ 'transfer-encoding': 'chunked' })).toBe(unsupported);
    expect(check({ 'content-length': '0' })).toBeUndefined();
    expect(check({})).toBeUndefined();
  });

  test('can be any of several', () => {
    const takes = ['application/merge-patch+json', 'application/json'];
    for (const type of takes) expect(check({ 'content-type': type }, takes)).toBeUndefined();
    expect(check({ 'content-type': 'text/plain' }, takes)).toContain(
      'as application/merge-patch+json or application/json in UTF-8.',
    );
  });
});

describe('X-Request-Id', () => {
  const idFor = (given: string | undefined) => requestId({ 'x-request-id': given });

  test.each(['7', 'abc-123', 'a.b_c~d:e/f+g=h@i-j', 'x'.repeat(128)])(
    'of the caller is kept: %s',
    (given) => {
      expect(idFor(given)).toBe(given);
    },
  );

  test.each([
    ...['x'.repeat(129), 'a b', 'a,b', 'a"b', "a'b", 'a<b>', '{}', 'a;b', 'a\\b', 'a\tb', 'ä', '', undefined],
  ])('that is not a valid token is replaced: %s', (given) => {
    expect(idFor(given)).toMatch(/^[0-9a-f-]{36}$/);
    expect(idFor(given)).not.toBe(idFor(given));
  });
});

describe('request syntax', () => {
  /** A request with these header lines. Like Node, it keeps the first of two. */
  function check(httpVersion: string, ...lines: [string, string][]): string | undefined {
    const headers: Record<string, string> = {};
    for (const [name, value] of lines) headers[name.toLowerCase()] ??= value;
    const request = { httpVersion, headers, rawHeaders: lines.flat() } as unknown as IncomingMessage;
    return rejection(() => checkRequestSyntax(request));
  }

  test.each(['0.9', '1.2', '2.0', '9.9'])('HTTP/%s is not supported', (version) => {
    expect(check(version, ['Host', 'a'])).toBe(
      'REQUEST_MALFORMED: This HTTP version is not supported. Use HTTP/1.1.',
    );
  });

  test('a Host is required since HTTP/1.1', () => {
    expect(check('1.0')).toBeUndefined();
    expect(check('1.1')).toContain('The Host header is missing');
  });

  test.each(['localhost', 'people.example.com:8080', '127.0.0.1:80', '[::1]:8080', 'under_score', 'a:', ''])(
    'the Host can be "%s"',
    (host) => {
      expect(check('1.1', ['Host', host])).toBeUndefined();
    },
  );

  test.each(['a b', 'a/b', 'user@a', 'a:b', 'a:1:2', 'a:123456', '[::1', 'a\\b', 'a?b'])(
    'the Host cannot be "%s"',
    (host) => {
      expect(check('1.1', ['Host', host])).toContain('must be a host name or address');
    },
  );

  test('Host and Authorization may appear only once, even if they are equal', () => {
    const host: [string, string] = ['Host', 'a'];
    expect(check('1.1', host, ['hOST', 'a'])).toContain('The Host header appears more than once');
    expect(check('1.0', host, ['HOST', 'b'])).toContain('The Host header appears more than once');
    const authorization: [string, string] = ['Authorization', 'a'];
    expect(check('1.1', host, authorization)).toBeUndefined();
    expect(check('1.1', host, authorization, ['authorization', 'a'])).toContain(
      'The Authorization header appears more than once',
    );
    expect(check('1.1', host, ['Accept', 'a'], ['Accept', 'b'])).toBeUndefined();
  });
});
