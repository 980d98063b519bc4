import { expect, test } from 'vitest';
import { type ErasureFacts, planErasure } from '../../src/domain/erasure/erasure-plan.js';

const facts = (overrides: Partial<Record<keyof ErasureFacts, readonly string[]>>): ErasureFacts => ({
  known: new Set(overrides.known),
  erased: new Set(overrides.erased),
  administrators: (overrides.administrators ?? []).map((serial) => ({ serial, canSignIn: serial !== 'x' })),
});

/** Per item: whether it erases, or the error. */
function planned(serials: readonly string[], given: ErasureFacts): unknown[] {
  const items = serials.map((serial, position) => ({ serial, position }));
  return planErasure(items, given).map((verdict) => (verdict.ok ? verdict.isNew : verdict.failure.error));
}

test('users are erased once', () => {
  const given = facts({ known: ['a', 'b', 'c'], erased: ['b'] });
  expect(planned(['a', 'b', 'a', 'z'], given)).toEqual([true, false, false, 'USER_NOT_FOUND']);
});

test('the last administrator who can sign in remains, whoever comes first', () => {
  const given = facts({ known: ['a', 'b', 'x'], administrators: ['a', 'b', 'x'] });
  expect(planned(['a', 'b', 'x'], given)).toEqual([true, 'USER_LAST_ADMINISTRATOR', true]);
  expect(planned(['b', 'b', 'a'], given)).toEqual([true, false, 'USER_LAST_ADMINISTRATOR']);
});

test('failures name the item, or nothing in a request about one user', () => {
  const given = facts({});
  expect(planErasure([{ serial: 'z', position: 3 }], given)).toMatchObject([
    { failure: { detail: 'items[3]: no user has this serial.' } },
  ]);
  expect(planErasure([{ serial: 'z' }], given)).toMatchObject([
    { failure: { detail: 'No user has this serial.' } },
  ]);
});
