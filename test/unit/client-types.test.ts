import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  createClient,
  type ErrorName,
  type EventType,
  errorFrom,
  followEvents,
  isRollcallError,
  type Reply,
  RollcallError,
  type Schemas,
} from '../../client/src/index.js';

const rollcall = createClient({ baseUrl: 'http://localhost' });

/** Never called: tsc checks that it compiles, and that the marked lines don't. */
async function compiles() {
  const serial = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';
  await rollcall.call('getMe');
  await rollcall.call('listUsers');
  await rollcall.call('listUsers', { query: { search: undefined, isActive: true } });
  await rollcall.call('updateUser', {
    path: { serial },
    headers: { 'if-match': '"1"' },
    body: { name: 'Ada', tagSerials: ['T1'] as readonly string[], phone: null },
    signal: AbortSignal.timeout(1),
    retry: false,
  });
  for await (const user of rollcall.each('listUsers'))
    expectTypeOf(user).toEqualTypeOf<Schemas['ListedUser']>();
  for await (const page of rollcall.pages('userHistory', { path: { serial } }))
    expectTypeOf(page.items).toEqualTypeOf<Schemas['Change'][]>();

  for await (const event of followEvents(rollcall)) {
    expectTypeOf(event.type).toEqualTypeOf<EventType>();
    if (event.type === 'call.completed')
      expectTypeOf(event.data).toEqualTypeOf<Schemas['CallEvent']['data']>();
    else expectTypeOf(event.data).toEqualTypeOf<Schemas['UserEvent']['data']>();
  }
  const types = ['user.created', 'user.renamed'] as const;
  for await (const event of followEvents(rollcall, { types, after: 0, signal: undefined })) {
    expectTypeOf(event.type).toEqualTypeOf<'user.created' | 'user.renamed'>();
    expectTypeOf(event.data.fields.name?.after).toBeUnknown();
  }
  // @ts-expect-error there is no such type
  followEvents(rollcall, { types: ['user.eaten'] });
  // @ts-expect-error there is no such operation
  await rollcall.call('removeUser', { path: { serial } });
  // @ts-expect-error the stream of events does not answer in JSON
  await rollcall.call('followEvents');
  // @ts-expect-error the path is missing
  await rollcall.call('getUser');
  // @ts-expect-error the path lacks its parameter
  await rollcall.call('getUser', { path: {} });
  // @ts-expect-error the path has another parameter
  await rollcall.call('getUser', { path: { id: serial } });
  // @ts-expect-error the operation has no path parameters
  await rollcall.call('listUsers', { path: { serial } });
  // @ts-expect-error there is no such query parameter
  await rollcall.call('listUsers', { query: { nam: 'Ada' } });
  // @ts-expect-error there is no such order
  await rollcall.call('listUsers', { query: { sort: 'phone' } });
  // @ts-expect-error the operation takes no such header
  await rollcall.call('getUser', { path: { serial }, headers: { 'if-match': '"1"' } });
  // @ts-expect-error the body is missing
  await rollcall.call('createUser');
  // @ts-expect-error the body lacks a field
  await rollcall.call('createUser', { body: { employeeID: 'E1', name: 'Ada' } });
  // @ts-expect-error a field has the wrong type
  await rollcall.call('createUser', { body: { employeeID: 'E1', name: 'Ada', isActive: 'yes' } });
  // @ts-expect-error the body has an unknown field
  await rollcall.call('setRole', { path: { serial }, body: { role: 'viewer', since: 1 } });
  // @ts-expect-error the operation takes no body
  await rollcall.call('signOut', { body: {} });
  // @ts-expect-error the operation has no cursor
  rollcall.each('getUser', { path: { serial } });
  // @ts-expect-error the operation has no cursor
  rollcall.pages('createUser', { body: { employeeID: 'E1', name: 'Ada', isActive: true } });
  // @ts-expect-error a list below a path needs it
  rollcall.each('userHistory');
  // @ts-expect-error there is no such error
  isRollcallError(undefined, 'USER_UNKNOWN');
}

void compiles;

describe('client types', () => {
  test('a reply has the envelope of its operation', () => {
    expectTypeOf<Reply<'getUser'>['body']['data']>().toEqualTypeOf<Schemas['UserReply']['data']>();
    expectTypeOf<Reply<'createUser'>['body']['data']['serial']>().toEqualTypeOf<string>();
    expectTypeOf<Reply<'resetPassword'>['body']>().toEqualTypeOf<Schemas['PasswordReset']>();
  });

  test('the name narrows an error', () => {
    const error: unknown = new RollcallError(404, { name: 'USER_NOT_FOUND', code: 10102, detail: 'Nobody.' });
    expect(isRollcallError(error)).toBe(true);
    expect(isRollcallError(error, 'USER_EMPLOYEE_ID_EXISTS')).toBe(false);
    if (!isRollcallError(error, 'USER_NOT_FOUND', 'USER_CHANGED_SINCE')) throw error;
    expectTypeOf(error.name).toEqualTypeOf<'USER_NOT_FOUND' | 'USER_CHANGED_SINCE'>();
    expectTypeOf(error.code).toEqualTypeOf<10102 | 10110>();
    expectTypeOf<'SERVICE_OUTCOME_UNKNOWN'>().toExtend<ErrorName>();
    expect(String(error)).toBe('USER_NOT_FOUND: Nobody.');
  });

  test('the name determines the data of an error', () => {
    const error: unknown = new RollcallError(409, {
      name: 'CALL_EXCEEDS_SAFETY_LIMIT',
      code: 10304,
      detail: 'Too many.',
      data: { confirm: 12 },
    });
    if (!isRollcallError(error, 'CALL_EXCEEDS_SAFETY_LIMIT')) throw error;
    expectTypeOf(error.name).toEqualTypeOf<'CALL_EXCEEDS_SAFETY_LIMIT'>();
    expectTypeOf(error.data.confirm).toEqualTypeOf<number | undefined>();
    expect(error.data.confirm).toBe(12);
    // @ts-expect-error the error has no such data
    expect(error.data.field).toBeUndefined();
  });

  test('the name narrows the error of an item', () => {
    const error = errorFrom({
      errorCode: 10107,
      message: 'USER_FIELD_INVALID',
      detail: 'No.',
      data: { field: 'phone', problem: 'is wrong.' },
    });
    if (error.name !== 'USER_FIELD_INVALID') throw new Error(error.name);
    expectTypeOf(error.data.field).toEqualTypeOf<string | undefined>();
    expect(error.data.field).toBe('phone');
  });

  test('an error without data has an empty object', () => {
    const error = errorFrom({ errorCode: 10304, message: 'CALL_EXCEEDS_SAFETY_LIMIT', detail: 'Too many.' });
    expect(error).toEqual({ name: 'CALL_EXCEEDS_SAFETY_LIMIT', code: 10304, detail: 'Too many.', data: {} });
  });
});
