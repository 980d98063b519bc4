import { describe, expect, it } from 'vitest';
import { usersCopy } from '../../../console/src/copy/copy.js';
import { forgetUser } from '../../../console/src/session/signed-out.js';
import { rowForKey } from '../../../console/src/users/list/grid.js';
import {
  firstPageOnly,
  loadedRowCount,
  type PageChain,
  pageSize,
  pagesForRows,
  rowCount,
  withPage,
} from '../../../console/src/users/list/page-chain.js';
import { saveScrollPosition, usersListPath } from '../../../console/src/users/list/scroll-memory.js';
import {
  isFiltered,
  queryOf,
  readView,
  toggleSort,
  writeView,
} from '../../../console/src/users/list/users-view.js';

describe('list view', () => {
  it('is read from the URL, and writes the same URL', () => {
    const address =
      'search=ada+lov&status=inactive&organization=ORG7&tag=T1&sort=-createdAt&columns=name%2Cphone';
    const view = readView(address);
    expect(view).toEqual({
      search: 'ada lov',
      filters: [
        { kind: 'status', value: 'inactive' },
        { kind: 'organization', isNot: false, values: ['ORG7'] },
        { kind: 'tag', isNot: false, values: ['T1'] },
      ],
      sort: 'createdAt',
      isDescending: true,
      columns: ['name', 'phone'],
    });
    expect(writeView(view)).toBe(address);
  });

  it('omits defaults from the URL', () => {
    expect(writeView(readView(''))).toBe('');
  });

  it('ignores invalid values in the URL', () => {
    expect(readView('status=sleeping&sort=-phone&columns=shoe,email')).toMatchObject({
      filters: [],
      sort: 'name',
      isDescending: false,
      columns: ['name', 'email'],
    });
  });

  it('sends filters to the service, except blank ones', () => {
    expect(queryOf(readView('search=+ada+&status=active&tag=+'))).toEqual({
      sort: 'name',
      exactFirst: true,
      search: 'ada',
      isActive: true,
    });
    expect(isFiltered(readView('search=+&sort=-name'))).toBe(false);
    expect(isFiltered(readView('status=inactive'))).toBe(true);
  });

  it('asks for exact matches first only in a search, and only in the default order', () => {
    expect(queryOf(readView('search=+&status=active'))).not.toHaveProperty('exactFirst');
    expect(queryOf(readView('search=E1001&sort=-name'))).not.toHaveProperty('exactFirst');
    expect(queryOf(readView('search=E1001&sort=employeeID'))).not.toHaveProperty('exactFirst');
  });

  it('reverses the order on a second click on a heading, and starts ascending with another', () => {
    const once = toggleSort(readView(''), 'name');
    expect(once).toMatchObject({ sort: 'name', isDescending: true });
    expect(toggleSort(once, 'employeeID')).toMatchObject({ sort: 'employeeID', isDescending: false });
  });
});

describe('count', () => {
  const exactly = (count: number) => ({ count, isExact: true });
  const about = (count: number) => ({ count, isExact: false });

  it.each([
    [usersCopy.total(exactly(1)), '1 user'],
    [usersCopy.total(about(410)), 'About 410 users'],
    [usersCopy.matching(exactly(1), exactly(450)), '1 of 450 users matches'],
    [usersCopy.matching(about(410), exactly(450)), 'About 410 of 450 users match'],
    [usersCopy.matching(about(460), exactly(450)), 'About 450 of 450 users match'],
    [usersCopy.matching(exactly(0), undefined), '0 users match'],
    [usersCopy.moreThan(200, true), 'More than 200 users match'],
  ])('%s', (text, expected) => {
    expect(text).toBe(expected);
  });
});

describe('page chain', () => {
  const full = (nextCursor: string | null, rows = pageSize) => ({ rows, nextCursor });
  const chainOf = (...cursors: string[]): PageChain =>
    cursors.reduce((chain, cursor, page) => withPage(chain, page, full(cursor)), firstPageOnly);

  it('grows one page at a time, and counts a page that is loading as full', () => {
    const chain = chainOf('a', 'b');
    expect(chain.cursors).toEqual([undefined, 'a', 'b']);
    expect(loadedRowCount(chain)).toBe(2 * pageSize);
    expect(rowCount(chain)).toBe(3 * pageSize);
  });

  it('ends with the page that has no next page', () => {
    const chain = withPage(chainOf('a'), 1, full(null, 7));
    expect(loadedRowCount(chain)).toBe(pageSize + 7);
    expect(rowCount(chain)).toBe(pageSize + 7);
    expect(rowCount(withPage(firstPageOnly, 0, full(null, 0)))).toBe(0);
  });

  it('is unchanged when a page is reloaded and nothing has moved', () => {
    const chain = withPage(chainOf('a', 'b'), 2, full(null, 7));
    expect(withPage(chain, 0, full('a'))).toBe(chain);
    expect(withPage(chain, 2, full(null, 7))).toBe(chain);
  });

  it('moves the start of the next page when rows are added or removed, and keeps later pages', () => {
    const chain = withPage(chainOf('a', 'b'), 0, full('a2'));
    expect(chain.cursors).toEqual([undefined, 'a2', 'b']);
  });

  it('ends early if a page becomes the last, and grows again if it no longer is', () => {
    const cut = withPage(chainOf('a', 'b', 'c'), 1, full(null, 3));
    expect(cut.cursors).toEqual([undefined, 'a']);
    const longer = withPage(cut, 1, full('b2'));
    expect(longer).toEqual({ cursors: [undefined, 'a', 'b2'], lastPageRows: undefined });
  });

  it('loads the visible pages and the next one, as far as they are known', () => {
    const chain = chainOf('a', 'b', 'c', 'd');
    expect(pagesForRows(chain, 0, 20)).toEqual([0, 1]);
    expect(pagesForRows(chain, 2 * pageSize - 5, 2 * pageSize + 10)).toEqual([1, 2, 3]);
    expect(pagesForRows(chain, 4 * pageSize, 5 * pageSize - 1)).toEqual([4]);
    expect(pagesForRows(firstPageOnly, 0, 0)).toEqual([0]);
  });
});

describe('list keys', () => {
  const rows = { last: 99, rowsOnScreen: 10, isOutside: false };

  it.each([
    ['ArrowDown', 5, 6],
    ['ArrowUp', 5, 4],
    ['ArrowUp', 0, 0],
    ['PageDown', 5, 15],
    ['PageDown', 95, 99],
    ['PageUp', 5, 0],
    ['Home', 50, 0],
    ['End', 50, 99],
  ])('%s moves from row %i to row %i', (key, from, to) => {
    expect(rowForKey(key, from, rows)).toBe(to);
  });

  it('the first key press selects the current row, and other keys do nothing', () => {
    expect(rowForKey('ArrowDown', 5, { ...rows, isOutside: true })).toBe(5);
    expect(rowForKey('Enter', 5, rows)).toBeUndefined();
  });
});

it('the next user does not learn what the previous one looked for', () => {
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
