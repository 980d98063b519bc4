import { expect, test } from 'vitest';
import { type Bucket, bucketOf, bucketUsersMax, withUsersAdded } from '../../src/domain/indexing/buckets.js';

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
