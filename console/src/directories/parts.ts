import { limits } from '@rollcall/client';
import { queryOptions } from '@tanstack/react-query';
import { type Entry, listEntries } from '../components/directory.js';

/** The organizations that are part of another one. */
export function partsQuery(serial: string) {
  return queryOptions({
    queryKey: ['parts', serial],
    queryFn: ({ signal }) => findParts(serial, signal),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** Reads the whole directory, because it can't be filtered by parent. */
async function findParts(serial: string, signal: AbortSignal): Promise<Entry[]> {
  const parts: Entry[] = [];
  let cursor: string | undefined;
  do {
    const page = await listEntries('organizations', { limit: limits.pageLimitMax, cursor }, signal);
    parts.push(...page.items.filter(({ parentSerial }) => parentSerial === serial));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return parts;
}
