import { ListIncomplete } from './errors.js';
import { limits } from './generated/tables.js';
import type { Item, Page, PagedName } from './operations.js';
import type { AnyOptions, Received } from './request.js';

type Call = (name: PagedName, options: AnyOptions) => Promise<Received>;

export async function* pages(
  call: Call,
  name: PagedName,
  options: AnyOptions = {},
): AsyncGenerator<Page<PagedName>, void, void> {
  let next: { readonly cursor?: string | null } = {};
  do {
    const query = { ...options.query, ...next };
    const { body } = await call(name, { ...options, query, untilComplete: true });
    if (isIncomplete({ body })) throw new ListIncomplete();
    const { data: page } = body as { data: Page<PagedName> };
    next = { cursor: page.nextCursor };
    yield page;
  } while (next.cursor !== null);
}

/** A list that misses users who have changed in the last seconds. */
export function isIncomplete({ body }: Pick<Received, 'body'>): boolean {
  return (body as { data?: { isComplete?: boolean } }).data?.isComplete === false;
}

/** Uses the largest pages, because the caller wants everything. */
export async function* each(
  call: Call,
  name: PagedName,
  options: AnyOptions = {},
): AsyncGenerator<Item<PagedName>, void, void> {
  const query = { limit: limits.pageLimitMax, ...options.query };
  for await (const page of pages(call, name, { ...options, query })) yield* page.items;
}
