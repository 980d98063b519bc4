import type { Schemas } from '@rollcall/client';

type History = Pick<Schemas['EmployeeIdHistory']['data'], 'holder' | 'formerHolders'>;
export type FormerHolder = History['formerHolders'][number];

/** The last one who had a free employee ID. The service refuses those in use, and users may have their own back. */
export function formerHolderOf(
  { holder, formerHolders }: History,
  serial: string | undefined,
): FormerHolder | undefined {
  if (holder !== null) return undefined;
  const last = formerHolders.toSorted((one, other) => Date.parse(other.until) - Date.parse(one.until))[0];
  return last?.serial === serial ? undefined : last;
}
