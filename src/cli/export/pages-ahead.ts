import type { Page } from '#client';

type UserPage = Page<'listUsers'>;

/** Page by page, where the next one is on its way while this one is used. No more than two are held. */
export async function* pagesAhead(
  read: (cursor: string | undefined) => Promise<UserPage>,
): AsyncGenerator<UserPage['items'], void, void> {
  let next: Promise<UserPage> | undefined = read(undefined);
  while (next) {
    const { items, nextCursor }: UserPage = await next;
    next = nextCursor === null ? undefined : read(nextCursor);
    next?.catch(() => {}); // it is met when its turn comes, or nobody waits for it any more
    yield items;
  }
}
