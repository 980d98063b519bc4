import { afterEach, expect, test, vi } from 'vitest';
import { newId, newSerial } from '../../src/domain/serial.js';

afterEach(() => {
  vi.useRealTimers();
});

test('IDs are UUIDv7s that ascend, and no two have the same random part', () => {
  const ids = Array.from({ length: 20_000 }, () => newId());
  expect(
    ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
  ).toEqual([]);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(ids.length);
});

test('they ascend when the clock is set back, and serials contain the time', () => {
  vi.useFakeTimers({ now: new Date('2126-03-01T10:00:00.123Z') });
  const first = newSerial();
  vi.setSystemTime(new Date('2126-03-01T09:59:00Z'));
  const second = newSerial();
  expect(second.serial > first.serial).toBe(true);
  expect([first, second].map(({ createdAt }) => createdAt.toISOString())).toEqual([
    '2126-03-01T10:00:00.123Z',
    '2126-03-01T10:00:00.123Z',
  ]);
});
