export interface DayGroup<Item> {
  /** The time of its first item. */
  readonly at: string;
  readonly items: readonly Item[];
}

/** Groups a list that is in the order of time by days, in the time zone of the browser. */
export function byDay<Item extends { readonly at: string }>(items: readonly Item[]): DayGroup<Item>[] {
  const groups: { at: string; items: Item[] }[] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && dayOf(last.at) === dayOf(item.at)) last.items.push(item);
    else groups.push({ at: item.at, items: [item] });
  }
  return groups;
}

function dayOf(time: string): string {
  return new Date(time).toDateString();
}
