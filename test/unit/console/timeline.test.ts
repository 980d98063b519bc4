import { describe, expect, it } from 'vitest';
import { initialsOf } from '../../../console/src/users/data/user.js';
import type { Change } from '../../../console/src/users/data/user-queries.js';
import { authorsSince } from '../../../console/src/users/detail/edit-conflict.js';
import {
  type AccessEvent,
  daysAgo,
  entryOfChange,
  entryOfEvent,
  entryOfMessage,
  filtersFor,
  groupByDay,
  isHoldingBack,
  isShown,
  type Message,
  mergeSources,
  sourcesFor,
  type TimelineEntry,
  titleOfChange,
} from '../../../console/src/users/timeline/timeline.js';

const serial = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';
const time = (minute: number) => new Date(Date.UTC(2026, 10, 16, 9, minute)).toISOString();

function aChange(minute: number, part: Partial<Change> = {}): Change {
  return {
    sequence: minute,
    at: time(minute),
    kind: 'updated',
    userSerial: serial,
    employeeID: 'E1',
    version: minute,
    actor: null,
    requestId: null,
    callId: null,
    fields: { phone: { before: null, after: '+1' } },
    ...part,
  };
}

function anEvent(minute: number, part: Partial<AccessEvent> = {}): AccessEvent {
  return {
    id: `event-${minute}`,
    at: time(minute),
    kind: 'sign-in.succeeded',
    actor: null,
    userSerial: serial,
    clientId: null,
    address: null,
    requestId: null,
    detail: {},
    ...part,
  };
}

function aMessage(minute: number): Message {
  return {
    id: `message-${minute}`,
    userSerial: serial,
    kind: 'initial-password',
    state: 'sent',
    heldReason: null,
    channel: 'email',
    attempts: 1,
    createdAt: time(minute),
    nextAttemptAt: null,
    sentAt: null,
    ...{ address: null, lastProblem: null, lastProblemCode: null, lastError: null },
    requestId: null,
  };
}

const source = (entries: TimelineEntry[], hasMore = false) => ({ entries, hasMore });
const minutesOf = (entries: readonly TimelineEntry[]) =>
  entries.map(({ at }) => new Date(at).getUTCMinutes());

describe('the timeline', () => {
  it('shows all sources as one list, newest first', () => {
    const merged = mergeSources([
      source([entryOfChange(aChange(9)), entryOfChange(aChange(2))]),
      source([entryOfEvent(anEvent(5))]),
      source([entryOfMessage(aMessage(7)), entryOfMessage(aMessage(1))]),
    ]);
    expect(minutesOf(merged)).toEqual([9, 7, 5, 2, 1]);
    expect(merged.map(({ kind }) => kind)).toEqual(['change', 'message', 'access', 'change', 'message']);
  });

  it('leaves out what is older than the end of a source that continues, and continues with that source', () => {
    const changes = source([entryOfChange(aChange(9)), entryOfChange(aChange(6))], true);
    const events = source([entryOfEvent(anEvent(8)), entryOfEvent(anEvent(3))], true);
    const sources = [changes, events, source([entryOfMessage(aMessage(7)), entryOfMessage(aMessage(1))])];
    expect(minutesOf(mergeSources(sources))).toEqual([9, 8, 7, 6]);
    expect(sources.map((each) => isHoldingBack(each, sources))).toEqual([true, false, false]);
  });

  it('shows a role change once, although it is in the change log and the access log', () => {
    const change = aChange(5, { requestId: 'r1', fields: { role: { before: null, after: 'viewer' } } });
    const events = [
      anEvent(5, { id: 'same', kind: 'role.changed', requestId: 'r1' }),
      anEvent(4, { id: 'older', kind: 'role.changed', requestId: 'r0' }),
      anEvent(3, { id: 'sign-in', requestId: 'r1' }),
    ];
    const merged = mergeSources([source([entryOfChange(change)]), source(events.map(entryOfEvent))]);
    expect(merged.map(({ key }) => key)).toEqual(['change 5', 'older', 'sign-in']);
  });

  it('names a change by what it did', () => {
    const title = (fields: Change['fields'], kind: Change['kind'] = 'updated') =>
      titleOfChange(aChange(1, { kind, fields }));
    const role = { before: 'viewer', after: null };
    expect(title({ isActive: { before: true, after: false }, role })).toBe('deactivated');
    expect(title({ isActive: { before: false, after: true } })).toBe('reactivated');
    expect(title({ role })).toBe('role');
    expect(title({ employeeID: { before: 'E1', after: 'E2' } })).toBe('renamed');
    expect(title({ employeeID: { before: 'E1', after: 'E2' }, name: { before: 'A', after: 'B' } })).toBe(
      'updated',
    );
    expect(title({ name: { before: null, after: 'Ada' } }, 'created')).toBe('created');
  });

  it('is filtered by kind, as far as the user may see it', () => {
    const role = entryOfChange(aChange(1, { fields: { role: { before: null, after: 'viewer' } } }));
    const phone = entryOfChange(aChange(2));
    const left = aChange(3, {
      fields: { isActive: { before: true, after: false }, role: { before: 'viewer', after: null } },
    });
    expect([role, phone, entryOfChange(left)].map((entry) => isShown(entry, 'roles'))).toEqual([
      true,
      false,
      true,
    ]);
    expect([role, phone, entryOfChange(left)].map((entry) => isShown(entry, 'changes'))).toEqual([
      false,
      true,
      true,
    ]);
    expect(sourcesFor('all', ['users:read', 'audit:read'])).toEqual(['changes', 'access']);
    expect(filtersFor(['audit:read'])).toEqual(['all', 'changes', 'roles', 'access']);
    expect(filtersFor(['users:read', 'users:write'])).toEqual(['all', 'changes', 'roles']);
    expect(filtersFor(['users:read'])).toEqual([]);
  });

  it('is grouped by the days of the browser', () => {
    const local = (day: number, hour: number) => new Date(2026, 9, day, hour).toISOString();
    const entries = [local(26, 1), local(25, 23), local(25, 0), local(24, 12)].map((at, index) =>
      entryOfChange(aChange(index, { at })),
    );
    const days = groupByDay(entries);
    expect(days.map((day) => day.entries.length)).toEqual([1, 2, 1]);
    // Where clocks change on 25 October, that day has 25 hours.
    expect(days.map(({ start }) => daysAgo(start, new Date(2026, 9, 26, 8)))).toEqual([0, 1, 2]);
  });
});

describe('the page of a user', () => {
  it('names everyone who has changed the user since, once', () => {
    const grace = { kind: 'person', id: 'grace' };
    const sync = { kind: 'client', id: 'client-1' };
    const changes = [
      aChange(5, { actor: grace }),
      aChange(4, { actor: null }),
      aChange(3, { actor: sync }),
      aChange(2, { actor: grace }),
    ];
    expect(authorsSince(changes, 1)).toEqual([grace, sync]);
    expect(authorsSince(changes, 4)).toEqual([grace]);
  });

  it.each([
    ['Ada Lovelace', 'AL'],
    ['Juan de la Cruz', 'JC'],
    ['björk', 'B'],
    ['Ada (temp)', 'A'],
    ['山田 太郎', '山太'],
    ['42', ''],
  ])('shows the initials of %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});
