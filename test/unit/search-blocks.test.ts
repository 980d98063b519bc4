import { expect, test } from 'vitest';
import {
  afterWrites,
  bitmapOf,
  blockSizes,
  dueSize,
  movesOf,
  samplePercent,
  splitSize,
  writesAllowed,
} from '../../src/domain/indexing/blocks.js';
import { type Bucket, bucketOf, bucketUsersMax, withUsersAdded } from '../../src/domain/indexing/buckets.js';

test('a bitmap has the first frequent term as its highest bit, and full bytes', () => {
  const bits = new Map([70, 30, 20, 90, 50, 40, 10, 80, 60].map((term, bit) => [term, bit]));
  expect(bitmapOf([], bits)).toBe('0000');
  expect(bitmapOf([70], bits)).toBe('8000');
  expect(bitmapOf([80, 60, 30], bits)).toBe('4180');
  expect(bitmapOf([...bits.keys(), 70], bits)).toBe('ff80');
});

test('terms that are not frequent have no bit', () => {
  expect(bitmapOf([5, 6], new Map([[6, 0]]))).toBe('80');
});

test('a user is at another place if the key of the order differs, or if the user is new', () => {
  const before = { name: 'Ada', employeeID: 'E1' };
  expect(movesOf(before, before)).toEqual({ hasMovedByName: false, hasMovedByEmployeeID: false });
  expect(movesOf({ ...before, name: 'ada' }, before)).toEqual({
    hasMovedByName: true,
    hasMovedByEmployeeID: false,
  });
  expect(movesOf(before, undefined)).toEqual({ hasMovedByName: true, hasMovedByEmployeeID: true });
});

test('a block that was looked at, and either half of one that was split, can grow before it is due again', () => {
  expect(splitSize(blockSizes)).toBeLessThan(dueSize(blockSizes));
  expect(splitSize(blockSizes) - blockSizes.blockUsers).toBeGreaterThan(0);
});

test('blocks are built anew after twice as many writes as there are users, but never at once', () => {
  const blocks = { collation: 'und-x-icu', writesLeft: writesAllowed(1_000) };
  expect(afterWrites(blocks, 1_999).writesLeft).toBe(1);
  expect(afterWrites(blocks, 5_000).writesLeft).toBe(0);
  expect(writesAllowed(0)).toBeGreaterThan(0);
});

test('frequent terms are chosen from a sample of limited size', () => {
  expect(samplePercent(0)).toBe(100);
  expect(samplePercent(5_000)).toBe(100);
  expect(samplePercent(1_000_000)).toBe(0.5);
});

const serial = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const serials = (from: number, count: number) => Array.from({ length: count }, (_, n) => serial(from + n));
const first: Bucket = { number: 0, firstSerial: '00000000-0000-0000-0000-000000000000', users: 0 };

test('a full bucket is followed by one that starts with the next user', () => {
  const full = withUsersAdded([first], serials(0, bucketUsersMax), undefined);
  expect(full).toHaveLength(1);
  const next = withUsersAdded(full, serials(bucketUsersMax, 2), serial(bucketUsersMax - 1));
  expect(next.slice(1)).toEqual([{ number: 1, firstSerial: serial(bucketUsersMax), users: 2 }]);
});

test('no bucket starts before a user who is already indexed', () => {
  const full = withUsersAdded([first], serials(0, bucketUsersMax), undefined);
  expect(withUsersAdded(full, [serial(bucketUsersMax)], serial(bucketUsersMax + 1))).toHaveLength(1);
});

test('users of an earlier bucket never open another one, so buckets stay in the order of serials', () => {
  const second: Bucket = { number: 1, firstSerial: serial(bucketUsersMax), users: 0 };
  const full = withUsersAdded([first, second], serials(0, bucketUsersMax), undefined);
  const built = withUsersAdded(full, [serial(5)], serial(4));
  expect(built.map(({ firstSerial }) => firstSerial)).toEqual([first.firstSerial, second.firstSerial]);
  expect([0, bucketUsersMax - 1, bucketUsersMax].map((n) => bucketOf(built, serial(n)))).toEqual([0, 0, 1]);
});
