import { errorFrom, RollcallError, type Schemas } from '@rollcall/client';
import { afterEach, describe, expect, test } from 'vitest';
import { eventChoices, eventDetail, withoutRepeats } from '../../../console/src/activity/access-events.js';
import {
  didText,
  effectText,
  filterParts,
  handPicked,
  organizationCounts,
  planSummary,
} from '../../../console/src/activity/call.js';
import {
  countReleasable,
  type FailedDelivery,
  failureText,
  needsAddress,
  newAddress,
} from '../../../console/src/activity/delivery.js';
import { tabsFor } from '../../../console/src/activity/tabs.js';
import {
  approvalsFor,
  callName,
  callTitle,
  type EntryNames,
  patchText,
  plannedTitle,
} from '../../../console/src/components/calls.js';
import { parseChoice } from '../../../console/src/components/choices.js';
import { dayRange, startOfPeriod } from '../../../console/src/components/day-range.js';
import { needsSupport } from '../../../console/src/components/error-message.js';
import { formatField, formatValue } from '../../../console/src/components/field-value.js';
import { confirmationIn, type UndoReport, undoNotes } from '../../../console/src/components/undo-calls.js';
import { unsentMessages } from '../../../console/src/components/unsent-messages.js';
import { activityCopy as activity } from '../../../console/src/copy/copy.js';
import { clientsCopy, targetsCopy, webhooksCopy } from '../../../console/src/copy/on-demand-copy.js';
import { healthOf, nameOf } from '../../../console/src/settings/webhook.js';
import { accessEventKinds } from '../../../src/contract/access-events.js';
import {
  callKinds,
  callStates,
  deliveryKinds,
  deliveryProblems,
  deliveryStates,
  eventTypes,
  heldReasons,
  patchKinds,
  targetErrors,
  webhookDisabledCauses,
  webhookProblems,
} from '../../../src/contract/enums.js';
import { secretOverlapMaxSeconds } from '../../../src/contract/limits.js';
import { roles, scopes, scopesOfRole } from '../../../src/contract/scopes.js';

describe('activity copy', () => {
  test.each([
    ['kinds of calls', activity.calls.kind, callKinds],
    ['states of calls', activity.calls.state, callStates],
    ['kinds of access events', activity.signIns.kind, accessEventKinds],
    ['states of deliveries', activity.deliveries.state, deliveryStates],
    ['kinds of deliveries', activity.deliveries.kind, deliveryKinds],
    ['reasons to hold a delivery', activity.deliveries.heldReason, heldReasons],
    ['types of events', webhooksCopy.eventTypes, eventTypes],
    ['scopes', activity.scopes, scopes],
    ['reasons of failed deliveries', activity.deliveries.problems, deliveryProblems],
    ['reasons of failed webhooks', webhooksCopy.deliveries.problems, webhookProblems],
    ['causes of disabled webhooks', webhooksCopy.deliveries.causes, webhookDisabledCauses],
    ['errors of SCIM targets', targetsCopy.errors, targetErrors],
  ])('covers all %s', (_what, copy, kinds) => {
    expect(Object.keys(copy).toSorted()).toEqual([...kinds].toSorted());
  });

  test('offers overlaps up to the maximum of the service', () => {
    expect(Math.max(...Object.keys(clientsCopy.rotation.choices).map(Number))).toBe(secretOverlapMaxSeconds);
  });
});

describe('calls that await approval', () => {
  const call = (id: string, actor: string, author?: string) =>
    ({
      id,
      actor: { kind: 'person', id: actor },
      plan: author === undefined ? null : { author: { kind: 'person', id: author } },
    }) as Parameters<typeof approvalsFor>[0]['items'][number];
  const page = {
    items: [call('a', 'me'), call('b', 'other'), call('c', 'other', 'me'), call('d', 'other')],
    nextCursor: null,
  };

  test('count for those who can approve them: not for their authors', () => {
    expect(approvalsFor(page, { serial: 'me', mayApprove: true })).toEqual({
      toDecide: ['b', 'd'],
      ofOthers: ['a', 'c'],
      isMore: false,
    });
  });

  test('are up to others for those who may not change users', () => {
    const { toDecide, ofOthers } = approvalsFor(page, { serial: 'me', mayApprove: false });
    expect([toDecide, ofOthers]).toEqual([[], ['a', 'b', 'c', 'd']]);
  });
});

describe('tabs for a role', () => {
  test.each([
    ['viewer', ['story', 'calls']],
    ['operator', ['story', 'calls']],
    ['administrator', ['story', 'calls', 'sign-ins', 'sessions', 'deliveries']],
  ] as const)('a %s sees %j', (role, tabs) => {
    expect(roles).toContain(role);
    expect(tabsFor(scopesOfRole[role])).toEqual(tabs);
  });

  test('no scopes: no tabs', () => {
    expect(tabsFor([])).toEqual([]);
  });
});

describe('days', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  test("both days are included, in the user's time zone", () => {
    process.env.TZ = 'Europe/Berlin';
    expect(dayRange('2026-11-15', '2026-11-15')).toEqual({
      since: '2026-11-14T23:00:00.000Z',
      until: '2026-11-15T23:00:00.000Z',
    });
  });

  test('so are both minutes', () => {
    process.env.TZ = 'Europe/Berlin';
    expect(dayRange('2026-11-15T08:30', '2026-11-15T09:00')).toEqual({
      since: '2026-11-15T07:30:00.000Z',
      until: '2026-11-15T08:01:00.000Z',
    });
  });

  test.each([
    ['lastDay', '2026-11-14T08:30'],
    ['sinceYesterdayEvening', '2026-11-14T18:00'],
    ['lastWeek', '2026-11-08T08:30'],
  ] as const)('%s begins at %s', (period, start) => {
    expect(startOfPeriod(period, new Date(2026, 10, 15, 8, 30))).toBe(start);
  });

  test('the day when clocks go back has 25 hours', () => {
    process.env.TZ = 'Europe/Berlin';
    const { since, until } = dayRange('2026-10-25', '2026-10-25');
    expect(Date.parse(until ?? '') - Date.parse(since ?? '')).toBe(25 * 3_600_000);
  });

  test.each([
    [null, null],
    ['', 'soon'],
  ])('%j and %j are ignored', (from, until) => {
    expect(dayRange(from, until)).toEqual({});
  });
});

describe('choices', () => {
  test('a known value in the URL is used', () => {
    expect(parseChoice({ sent: '' }, 'sent')).toBe('sent');
  });

  test.each([null, 'gone', 'toString'])('%j is ignored', (text) => {
    expect(parseChoice({ sent: '' }, text)).toBeUndefined();
  });
});

describe('values', () => {
  test.each([
    [null, '(empty)'],
    [undefined, '(empty)'],
    ['', '(empty)'],
    [[], '(empty)'],
    [true, 'Yes'],
    [false, 'No'],
    [['a', 'b'], 'a, b'],
    ['Ada', 'Ada'],
  ])('%j is shown as %j', (value, shown) => {
    expect(formatValue(value)).toBe(shown);
  });

  test('only the status is active or inactive', () => {
    const names = ['isActive', 'mustChange', 'isActiveThere'];
    expect(names.map((name) => formatField(name, true))).toEqual(['Active', 'Yes', 'Yes']);
    expect(names.map((name) => formatField(name, false))).toEqual(['Inactive', 'No', 'No']);
  });
});

describe('safety limit', () => {
  const failed = (errorCode: number, message: string, data: unknown) =>
    new RollcallError(409, errorFrom({ errorCode, message, detail: 'Resend with ?confirm=7.', data }));

  test('the number to confirm comes from the error data', () => {
    expect(confirmationIn(failed(10304, 'CALL_EXCEEDS_SAFETY_LIMIT', { confirm: 250 }))).toBe(250);
  });

  test('other errors have none', () => {
    expect(confirmationIn(failed(10301, 'CALL_NOT_FOUND', {}))).toBeUndefined();
    expect(confirmationIn(new Error('?confirm=7'))).toBeUndefined();
  });
});

describe('messages', () => {
  async function* pages(...reasons: ('requested' | 'addressChanged')[][]) {
    for (const page of reasons) yield { items: page.map((heldReason) => ({ heldReason })) };
  }

  const refused: FailedDelivery = {
    ...{ kind: 'initial-password', address: 'old@example.com', lastError: 'In English.' },
    ...{ lastProblem: 'mailRecipientRefused', lastProblemCode: '550' },
  };

  test.each([
    ['is still the same', {}, 'old@example.com', /^old@example.com was refused\. Check/, undefined, true],
    [
      ...(['was corrected', {}, 'new@example.com'] as const),
      ...([
        /^old@example.com was refused\..* changed to new@example.com\.$/,
        'new@example.com',
        false,
      ] as const),
    ],
    [
      ...(['matters to the server only', { lastProblem: 'mailTimedOut' }, 'new@example.com'] as const),
      ...([/did not respond in time\. \(550\)$/, 'new@example.com', false] as const),
    ],
    [
      ...(['is that of a notice', { kind: 'account-changed' }, 'new@example.com'] as const),
      ...([/^old@example.com was refused\. Check/, undefined, true] as const),
    ],
    [
      ...(['was missing', { address: null, lastProblem: 'noAddress' }, 'new@example.com'] as const),
      ...([/Now there is new@example.com/, 'new@example.com', false] as const),
    ],
  ] as const)(
    'what a refusal says and asks for if the address %s',
    (_, facts, current, text, to, isAsked) => {
      const delivery: FailedDelivery = { ...refused, ...facts };
      expect(failureText(delivery, current)).toMatch(text);
      expect(newAddress(delivery, current)).toBe(to);
      expect(needsAddress(delivery, current)).toBe(isAsked);
    },
  );

  test('a release counts those that it sends', async () => {
    const held = pages(['requested', 'addressChanged'], ['requested']);
    expect(await countReleasable(held, 2)).toBe(2);
    expect(await countReleasable(pages(['requested'], ['requested']), 1)).toBeUndefined();
  });

  test.each([
    ['smtp', 'gateway', undefined],
    ['smtp', 'files', 'sms'],
    ['files', 'gateway', 'email'],
    ['files', 'files', 'all'],
  ] as const)('with email by %s and SMS by %s, unsent are: %s', (emailDelivery, smsDelivery, unsent) => {
    expect(unsentMessages({ emailDelivery, smsDelivery })).toBe(unsent);
  });
});

describe('a call', () => {
  test.each([
    ['upsert-bulk', 'staff.xlsx', 'Import'],
    ['upsert-bulk', null, 'Create or change'],
    ['update-matching', null, 'Change several users'],
  ] as const)('%s from %s is called %s', (kind, source, name) => {
    expect(callName({ kind, source })).toBe(name);
  });

  test.each([
    [401, 'ACCESS_SIGN_IN_FAILED', false],
    [500, 'SERVICE_FAILED', true],
    [409, 'NEWER_THAN_THE_CONSOLE', true],
  ])('the request ID is shown only if users need support: %i %s', (status, name, isShown) => {
    expect(needsSupport({ status, name })).toBe(isShown);
  });
});

test.each([
  ['upsert-bulk', 'staff.csv', 'Staff', 'feed', 'Nightly sync'],
  ['upsert-bulk', 'staff.csv', 'Staff', 'person', 'Import of staff.csv'],
  ['update-matching', null, 'Deactivate 153 in Hamburg', 'person', 'Deactivate 153 in Hamburg'],
  ['undo', null, 'By mistake', 'person', 'Undo'],
  ['create-bulk', null, null, 'client', 'Create 6 users'],
  ['update-bulk', null, null, 'client', 'Change 6 users'],
] as const)('the title of %s from %s says what was done', (kind, source, note, by, title) => {
  const call = { kind, source, note, patch: null, items: 6, actor: { kind: by, id: 'x' } } as const;
  expect(callTitle(call, 'Nightly sync')).toBe(title);
});

describe('what a call sets', () => {
  test.each(patchKinds)('%s is said in words', (kind) => {
    expect(patchText([{ kind, target: null }])).toMatch(/^[A-Z][a-z ]+$/);
  });

  test('names the targets, as far as they are known', () => {
    const patch = [
      ...[{ kind: 'addTag', target: 'T1' } as const, { kind: 'setAttribute', target: 'costCentre' } as const],
      { kind: 'deactivate', target: null } as const,
    ];
    expect(patchText(patch)).toBe('Add the tag T1; Set costCentre; Deactivate the users');
    expect(patchText(patch.slice(0, 1), () => 'Volunteers (T1)')).toBe('Add the tag Volunteers (T1)');
  });
});

test.each([
  ['merge-organization', { from: 'OLD', to: 'NEW' }, 'Sales (old) merged into Sales'],
  ['rename-organization', { from: 'OLD', to: 'NEW' }, 'Organization Sales: ID OLD → NEW'],
  ['rename-tag', { from: 'NIGHT', to: 'NACHT' }, 'Tag NACHT: ID NIGHT → NACHT'],
] as const)('the title of %s says what replaces what, also when it is undone', (kind, replaces, title) => {
  const call = { kind, source: null, note: null, items: 2, replaces };
  const names = new Map([
    ['OLD', 'Sales (old)'],
    ['NEW', 'Sales'],
  ]);
  const nameOf: EntryNames = (directory, serial) =>
    directory === 'organizations' ? names.get(serial) : undefined;
  expect(callTitle({ ...call, actor: null }, undefined, nameOf)).toBe(title);
  const undo = { kind: 'undo', source: null, note: null, replaces: null, undone: call } as const;
  expect(callTitle({ ...undo, actor: null }, undefined, nameOf)).toBe(`Undone: ${title}`);
});

describe('a planned call', () => {
  const item = (kind: string, fields: object = {}) => ({ outcome: 'succeeded', effect: { kind, fields } });
  const active = (after: boolean) => item('updated', { isActive: { before: !after, after } });

  test('says in words what it does', () => {
    const items = [
      ...[active(false), active(false), active(true), item('created'), item('unchanged')],
      ...[item('updated', { employeeID: {} }), item('updated', { name: {} }), { outcome: 'failed' }],
    ];
    expect(planSummary(items as never)).toEqual([
      'Creates 1 user.',
      'Deactivates 2 users.',
      'Reactivates 1 user.',
      'Changes the employee ID of 1 user.',
      'Changes data of 1 user.',
      'Leaves 1 user unchanged.',
      'Will fail for 1 user.',
    ]);
  });
});

describe('notes about an undo', () => {
  const report = (...effects: { kind: string; fields: object }[]) =>
    ({ successItems: effects.map((effect) => ({ effect })), failedItems: [] }) as unknown as UndoReport;
  const status = (after: boolean) => ({ kind: 'updated', fields: { isActive: { before: !after, after } } });

  test.each([
    ['of a creation', report({ kind: 'deleted', fields: {} }), ['messages', 'again']],
    ['of a rehire', report(status(false)), ['messages', 'again']],
    ['of a deactivation', report(status(true)), ['roles', 'again']],
    ['of another change', report({ kind: 'updated', fields: { name: {} } }), ['again']],
    ['of nothing', report(), []],
  ])('%s', (_what, undone, notes) => {
    expect(undoNotes(undone)).toEqual(notes);
  });
});

describe('details of access events', () => {
  test.each([
    ['role.changed', { before: null, after: 'operator' }, 'No role → Operator'],
    ['deliveries.released', { released: 3 }, '3 messages'],
    ['name.released', { field: 'employeeID', value: 'E1001' }, 'E1001'],
    ['token.refused', { reason: 'client-disabled' }, 'Client disabled'],
    ['token.refused', { reason: 'wrong-secret' }, 'Wrong secret'],
    ['token.refused', { reason: 'unknown-client', repeated: 7 }, 'Unknown client, 7 more within a minute'],
    [
      'token.issued',
      { tokenId: 'x', scopes: ['users:read', 'audit:read'] },
      'View users and bulk changes, View the history and the access log',
    ],
    [
      'request.forbidden',
      { method: 'POST', route: '/service/users', scope: 'users:write' },
      'Needs the permission “Create and update users” (POST /service/users)',
    ],
    ['client.created', { name: 'Nightly sync' }, 'Nightly sync'],
    ['client.changed', { isActive: { before: true, after: false } }, 'Disabled'],
    [
      'client.changed',
      { name: { before: 'A', after: 'B' }, scopes: { before: [], after: ['users:read'] } },
      'Name: B; View users and bulk changes',
    ],
    ['webhook.created', { webhookId: '1', host: 'hooks.example.com' }, 'hooks.example.com'],
    ['webhook.replayed', { fromSequence: 7 }, 'Starting with event 7'],
    ['sign-in.succeeded', {}, undefined],
  ])('%s %j', (kind, detail, says) => {
    expect(eventDetail({ kind, detail })).toBe(says);
  });
});

test('events that read alike and follow each other are one', () => {
  const event = (id: string, kind: string, minute: number, address = '10.0.0.1') => ({
    ...{ id, kind, address, at: new Date(2026, 10, 19, 8, minute).toISOString() },
    ...{ actor: null, userSerial: 'ada', clientId: null, detail: {} },
  });
  const found = withoutRepeats([
    ...[event('5', 'sign-in.failed', 5), event('4', 'sign-in.failed', 4), event('3', 'sign-in.failed', 3)],
    ...[event('2', 'sign-in.succeeded', 2), event('1', 'sign-in.failed', 1, '10.0.0.2')],
  ]);
  expect(found.map(({ id, times }) => [id, times])).toEqual([
    ['5', 3],
    ['2', 1],
    ['1', 1],
  ]);
  expect(new Date(found[0]?.firstAt ?? '').getMinutes()).toBe(3);
});

test('every event can be chosen in one group', () => {
  const chosen = eventChoices().flatMap(({ items }) => items.map(({ value }) => value));
  expect(chosen.sort()).toEqual([...accessEventKinds].sort());
});

describe('webhooks', () => {
  const good = {
    ...{ isActive: true, disabledBecause: null, failingSince: null },
    lastDeliveryAt: '2026-11-14T08:30:00Z',
  };
  test.each([
    [good, 'good'],
    [{ ...good, lastDeliveryAt: null }, 'unused'],
    [{ ...good, failingSince: '2026-11-15T08:30:00Z' }, 'failing'],
    [{ ...good, isActive: false }, 'disabled'],
    [{ ...good, isActive: false, disabledBecause: 'It failed for three days.' }, 'stopped'],
  ] as const)('%j is %s', (webhook, health) => {
    expect(healthOf(webhook)).toBe(health);
  });

  test('a webhook without a description is shown by its URL', () => {
    expect(nameOf({ description: null, url: 'https://a.example' })).toBe('https://a.example');
    expect(nameOf({ description: 'Badges', url: 'https://a.example' })).toBe('Badges');
  });
});

describe('the title of a planned call', () => {
  const planned = (
    effects: object | null,
    effectiveAt: string | null = null,
    {
      lastWorkingDay = null,
      ...call
    }: { lastWorkingDay?: string | null; kind?: 'update-bulk'; source?: string } = {},
  ) => {
    const plan = { effects, effectiveAt, lastWorkingDay } as Schemas['Plan'];
    return plannedTitle({ kind: 'update-matching', source: null, ...call, plan });
  };

  test('says how many users it deactivates, and from which day on', () => {
    expect(planned({ deactivated: 4 })).toBe('Deactivate 4 users');
    expect(planned({ deactivated: 4 }, null, { kind: 'update-bulk' })).toBe('Deactivate 4 users');
    const day = new Date(2026, 10, 30).toISOString();
    expect(planned({ deactivated: 4 }, day)).toMatch(/^Deactivate 4 users on (Nov 30, 2026|30 Nov 2026)$/);
    expect(planned({ deactivated: 4 }, day, { lastWorkingDay: '2026-11-29' })).toMatch(
      /^Deactivate 4 users, last working day (Nov 29, 2026|29 Nov 2026)$/,
    );
  });

  test('is another one if that is not all', () => {
    expect(planned({ deactivated: 4, updated: 1 })).toBeUndefined();
    expect(planned({ updated: 1 })).toBeUndefined();
    expect(planned(null)).toBeUndefined();
    expect(planned({ deactivated: 4 }, null, { kind: 'update-bulk', source: 'a.csv' })).toBeUndefined();
  });
});

describe('whom a planned call is about', () => {
  test('is its filter, part by part', () => {
    expect(filterParts('isActive=true&tagSerial=T1&tagSerial=T2')).toEqual([
      { name: 'isActive', values: ['true'] },
      { name: 'tagSerial', values: ['T1', 'T2'] },
    ]);
    expect(filterParts(null)).toEqual([]);
  });

  test('is a number if they were selected by hand, never their serials', () => {
    expect(handPicked(filterParts('serial=S1&serial=S2'))).toBe(2);
    expect(handPicked(filterParts('employeeID=E1&isActive=true'))).toBe(1);
    expect(handPicked(filterParts('tagSerial=T1'))).toBe(0);
  });

  test('is in these organizations, the largest first', () => {
    const users = [null, 'O2', 'O1', 'O2'].map((organizationSerial) => ({ organizationSerial }));
    expect(organizationCounts(users)).toEqual([
      { serial: 'O2', count: 2 },
      { serial: null, count: 1 },
      { serial: 'O1', count: 1 },
    ]);
  });
});

describe('what a bulk change did', () => {
  const none = { created: 0, reactivated: 0, deactivated: 0, renamed: 0, updated: 0, removed: 0 };

  test('is one sentence, in the order and the words of an import', () => {
    const effects = { ...none, created: 63, updated: 17, deactivated: 10, reactivated: 4 };
    expect(didText({ effects, changes: 94, failed: 1 })).toBe(
      '63 new, 17 changed, 10 deactivated, and 4 reactivated. 1 row failed.',
    );
    expect(didText({ effects: none, changes: 0, failed: 0 })).toBe('Nothing changed.');
    expect(didText({ effects: null, changes: 20_000, failed: 0 })).toBe('20,000 changed.');
  });

  test('to a user is named by its most important part, or by the fields', () => {
    const text = (kind: 'created' | 'updated', fields: object) =>
      effectText({ kind, fields }, (field) => field);
    expect(text('created', { name: { before: null, after: 'Ada' } })).toBe('New');
    expect(text('updated', { isActive: { before: true, after: false }, role: {} })).toBe('Deactivated');
    expect(text('updated', { isActive: { before: false, after: true } })).toBe('Reactivated');
    expect(text('updated', { name: {}, email: {} })).toBe('name and email changed');
  });
});
