import type { Page } from '#client';

type UserPage = Page<'listUsers'>;

/** Reads pages lazily. */
export async function* pagesOf(
  read: (cursor: string | undefined) => Promise<UserPage>,
): AsyncGenerator<UserPage['items'], void, void> {
  let cursor: string | undefined;
  do {
    const { items, nextCursor }: UserPage = await read(cursor);
    yield items;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}
