import { expect, test } from 'vitest';
import { isProtectedFrom } from '../../src/domain/users/plans/protected-users.js';
import { storedUser } from '../support/stored-user.js';

test.each([
  ['nothing', {}, false],
  ['the name', { name: 'Grace' }, false],
  ['the username', { username: 'grace' }, true],
  ['the username, which is cleared', { username: null }, true],
  ['only the case of the username', { username: 'ADA' }, false],
  ['the email address', { email: 'grace@example.com' }, true],
  ['a phone that passwords are sent to', { phone: '+44 2' }, true],
  ['only the white space of a phone', { phone: '+44 1' }, false],
  ['everything, with a deactivation', { username: 'grace', phone: '+44 2', isActive: false }, false],
])('a user with a role is protected from a change of %s: %s', (_, change, expected) => {
  const before = storedUser('A', { username: 'ada', email: null, phone: '+44  1' });
  const roles = new Map([[before.serial, 'viewer' as const]]);
  const isProtected = (mayChangeProtected: boolean) =>
    isProtectedFrom({ roles, mayChangeProtected }, before, { ...before, ...change });
  expect([isProtected(false), isProtected(true)]).toEqual([expected, false]);
});
