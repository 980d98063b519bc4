import type { Query, Schemas } from '#client';

type UserPage = Schemas['UserList']['data'];
type PageQuery = Pick<Query<'listUsers'>, 'cursor' | 'total'>;

/** Reads pages lazily. The total, if wanted, is requested only with the first one. */
export async function* pagesOf(
  read: (query: PageQuery) => Promise<UserPage>,
  total?: PageQuery['total'],
): AsyncGenerator<UserPage, void, void> {
  let query: PageQuery = { total };
  for (;;) {
    const page = await read(query);
    yield page;
    if (page.nextCursor === null) return;
    query = { cursor: page.nextCursor };
  }
}
