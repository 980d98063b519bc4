import { expect, test } from 'vitest';
import { forgetUser } from '../../../console/src/session/signed-out.js';
import { saveScrollPosition, usersListPath } from '../../../console/src/users/list/scroll-memory.js';

test('the next user does not learn what the previous one looked for', () => {
  saveScrollPosition({
    key: 'list',
    chain: { cursors: [undefined], lastPageRows: undefined },
    offset: 0,
    row: 3,
    search: 'search=Lovelace',
  });
  expect(usersListPath()).toBe('/users?search=Lovelace');
  forgetUser();
  expect(usersListPath()).toBe('/users');
});
