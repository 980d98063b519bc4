import { errorFrom, RollcallError } from '@rollcall/client';
import { describe, expect, it } from 'vitest';
import { dayAfter } from '../../../console/src/components/day-range.js';
import { fieldErrorMessage } from '../../../console/src/components/error-message.js';
import { formatDayStart } from '../../../console/src/copy/format.js';
import type { User } from '../../../console/src/users/data/user.js';
import {
  draftAfterSave,
  findEditConflicts,
  rebaseDraft,
} from '../../../console/src/users/detail/edit-conflict.js';
import {
  changedFields,
  type Draft,
  draftOf,
  emptyDraft,
  patchOf,
} from '../../../console/src/users/form/draft.js';
import {
  fieldRules,
  fieldsConcerned,
  formerHolderOf,
  holderOf,
  validateDraft,
} from '../../../console/src/users/form/field-problems.js';
import { createUserFields } from '../../../src/contract/users.js';
import { viewedUser } from '../../support/stored-user.js';

const ada: User = viewedUser({
  serial: '0198c0de-7a11-7000-8000-5f1e2d3c4b5a',
  employeeID: 'E1001',
  name: 'Ada Lovelace',
  username: 'ada',
  email: 'ada@example.com',
  tagSerials: ['T1', 'T2'],
});

const noManager = 'No user has this name or employee ID. Choose a manager from the list.';

const typed = (part: Partial<Draft>): Draft => ({ ...draftOf(ada), ...part });

describe('draft', () => {
  it('has no changes if only whitespace or the encoding of an accent differs', () => {
    const zoe = { ...ada, name: 'Zo\u00eb' };
    expect(
      changedFields(zoe, { ...draftOf(zoe), name: ' Zoe\u0308 ', tagSerials: ['T1', 'T2', 'T1'] }),
    ).toEqual([]);
  });

  it('sends only changed fields, and null for cleared ones', () => {
    expect(patchOf(ada, typed({ email: '', phone: ' +44 20 7946 0958 ', tagSerials: ['T2'] }))).toEqual({
      email: null,
      phone: '+44 20 7946 0958',
      tagSerials: ['T2'],
    });
  });

  it('keeps a manager who is gone until the field is cleared', () => {
    const left = { ...ada, manager: { serial: 'gone', employeeID: null, name: null } };
    const draft = draftOf(left);
    expect(draft.managerEmployeeID).toBe('Removed user');
    expect([patchOf(left, draft), validateDraft(draft, [], left)]).toEqual([{}, {}]);
    expect(patchOf(left, { ...draft, managerEmployeeID: ' ' })).toEqual({ managerEmployeeID: null });
  });
});

describe('concurrent edit by another user', () => {
  const theirs: User = { ...ada, name: 'Ada King', phone: '+1 202 555 0147', tagSerials: ['T9'] };

  it('is reported per field, with my value if both changed it', () => {
    const draft = typed({ name: 'Ada Byron', email: 'ada@example.org' });
    expect(findEditConflicts(ada, theirs, draft)).toEqual([
      { field: 'name', before: 'Ada Lovelace', theirs: 'Ada King', mine: 'Ada Byron' },
      { field: 'phone', before: null, theirs: '+1 202 555 0147', mine: undefined },
      { field: 'tagSerials', before: ['T1', 'T2'], theirs: ['T9'], mine: undefined },
    ]);
  });

  it('is no conflict if both made the same change', () => {
    expect(
      findEditConflicts(ada, { ...ada, name: 'Ada King' }, typed({ name: 'Ada King' }))[0]?.mine,
    ).toBeUndefined();
  });

  it('keeps my changes unless I take theirs', () => {
    const draft = typed({ name: 'Ada Byron', email: 'ada@example.org' });
    const kept = rebaseDraft(ada, theirs, draft);
    expect(kept).toMatchObject({ name: 'Ada Byron', email: 'ada@example.org', phone: '+1 202 555 0147' });
    expect(patchOf(theirs, kept)).toEqual({ name: 'Ada Byron', email: 'ada@example.org' });
    expect(patchOf(theirs, rebaseDraft(ada, theirs, draft, ['name']))).toEqual({ email: 'ada@example.org' });
  });

  it('keeps what is typed while a draft is being saved', () => {
    const sent = typed({ name: ' Ada King ' });
    const saved = { ...ada, name: 'Ada King' };
    expect(draftAfterSave(sent, saved, { ...sent, phone: '123' })).toEqual({
      ...draftOf(saved),
      phone: '123',
    });
  });
});

const numberedTags = (length: number) => Array.from({ length }, (_, at) => `T${at}`);

describe('draft validation', () => {
  it('accepts a user as returned by the service', () => {
    expect(validateDraft(draftOf(ada))).toEqual({});
  });

  it('reports both email and phone if neither is set', () => {
    expect(validateDraft(emptyDraft)).toEqual({
      employeeID: 'This field is required.',
      name: 'This field is required.',
      email: 'Enter an email address or a phone number.',
      phone: 'Enter an email address or a phone number.',
    });
  });

  it('says what each field accepts', () => {
    const wrong = typed({
      employeeID: 'E-1',
      username: 'ada!',
      email: 'ada',
      phone: '1'.repeat(256),
      organizationSerial: 'x'.repeat(65),
      managerEmployeeID: 'Nobody Xyz',
    });
    expect(validateDraft(wrong)).toEqual({
      employeeID: 'Use only letters from a to z and digits, at most 64.',
      username: 'Use only letters from a to z and digits, at most 64.',
      email: 'Enter an address like name@example.com, without spaces and with at most 254 characters.',
      phone: 'Enter at most 255 characters, without line breaks or invisible control characters.',
      organizationSerial:
        'Enter an ID with at most 64 characters, without line breaks or invisible control characters.',
      managerEmployeeID: noManager,
    });
  });

  it.each([
    ['name', ['Ada', '\u200b', ' ', 'x'.repeat(200), 'x'.repeat(201), '\u{1F600}'.repeat(200), 'a\u0000']],
    ['email', ['a@b', 'a.@b', '.a@b', 'a b@c', 'x@y.z', `${'x'.repeat(65)}@y.z`]],
    ['phone', ['123', '7', '+44 (0) 20-1.2', '1'.repeat(255), '1'.repeat(256), '030/1 ext 5', '1\t2']],
    ['tagSerials', [['T1'], ['T\t1'], ['\u0000'], numberedTags(100), numberedTags(101)]],
  ] as const)('agrees with the service on "%s"', (field, samples) => {
    for (const sample of samples) {
      const { normalize, accepts } = createUserFields[field].field;
      expect(fieldRules[field].accepts(sample), JSON.stringify(sample)).toBe(accepts(normalize(sample)));
    }
  });
});

describe('service error', () => {
  const ownManager = 'This would make someone their own manager, directly or through others.';
  const failed = (wire: { errorCode: number; message: string; data?: unknown }) =>
    new RollcallError(400, errorFrom({ ...wire, detail: 'No.' }));

  it.each([
    [10101, 'USER_EMPLOYEE_ID_EXISTS', undefined, ['employeeID']],
    [10103, 'USER_USERNAME_EXISTS', undefined, ['username']],
    [10104, 'USER_CONTACT_REQUIRED', undefined, ['email', 'phone']],
    [10107, 'USER_FIELD_INVALID', { field: 'phone' }, ['phone']],
    [10107, 'USER_FIELD_INVALID', { field: 'password' }, ['password']],
    [10106, 'USER_FIELD_REQUIRED', { field: 'name' }, ['name']],
    [10108, 'USER_FIELD_NOT_ACCEPTED', { field: 'shoe' }, []],
    [10107, 'USER_FIELD_INVALID', undefined, []],
    [10109, 'USER_LAST_ADMINISTRATOR', undefined, []],
    [10901, 'SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 }, []],
  ])('%i %s with %j concerns %j', (errorCode, message, data, fields) => {
    expect(fieldsConcerned(failed({ errorCode, message, data }))).toEqual(fields);
  });

  it.each([
    [10114, 'USER_MANAGER_NOT_FOUND', { managerEmployeeID: 'Nobody' }, noManager],
    [
      ...[10115, 'USER_MANAGER_CYCLE', { chain: ['E2001', 'E1001', 'E2001'] }],
      'E1001 already reports to E2001, directly or through others.',
    ],
    [10115, 'USER_MANAGER_CYCLE', { chain: ['E1001', 'E1001'] }, ownManager],
    [10115, 'USER_MANAGER_CYCLE', { chain: [] }, ownManager],
  ] as const)('%i %s with %j is explained next to the manager', (errorCode, message, data, text) => {
    expect(fieldErrorMessage(errorFrom({ errorCode, message, data, detail: 'No.' }))).toBe(text);
  });

  it('links to the holder of the name, if known', () => {
    const takenBy = { field: 'username', value: 'a', position: null, serial: ada.serial };
    const taken = { errorCode: 10103, message: 'USER_USERNAME_EXISTS' };
    expect(holderOf(failed({ ...taken, data: { takenBy } }))).toBe(ada.serial);
    expect(holderOf(failed({ ...taken, data: { takenBy: { ...takenBy, serial: null } } }))).toBeUndefined();
    expect(holderOf(failed(taken))).toBeUndefined();
    expect(holderOf(new Error('No.'))).toBeUndefined();
  });
});

describe('former holder of a new employee ID', () => {
  const held = (serial: string, until: string) => ({
    serial,
    since: '2024-01-01T00:00:00.000Z',
    until,
    newEmployeeID: null,
  });
  const formerHolders = [held('first', '2025-01-01T00:00:00.000Z'), held('last', '2026-01-01T00:00:00.000Z')];

  it('is the last one who had it', () => {
    expect(formerHolderOf({ holder: null, formerHolders }, 'other')?.serial).toBe('last');
    expect(formerHolderOf({ holder: null, formerHolders }, undefined)?.serial).toBe('last');
  });

  it('is nobody if users get their own back', () => {
    expect(formerHolderOf({ holder: null, formerHolders }, 'last')).toBeUndefined();
  });

  it('does not matter if someone has it, which the service refuses', () => {
    const holder = { serial: 'now', name: 'Now', since: '2026-02-01T00:00:00.000Z' };
    expect(formerHolderOf({ holder, formerHolders }, 'other')).toBeUndefined();
  });
});

describe('planned deactivation', () => {
  it.each([
    ['2026-12-31', '2027-01-01'],
    ['2026-03-28', '2026-03-29'],
    ['2028-02-28', '2028-02-29'],
  ])('with %s as the last working day happens on %s', (last, next) => {
    expect(dayAfter(last)).toBe(next);
  });

  it('says exactly when, and in which time zone', () => {
    expect(formatDayStart('2027-01-01', 'Europe/Berlin')).toMatch(/January.*2027, .*00.*\(Europe\/Berlin\)$/);
  });
});
