import type { Schemas } from './operations.js';

type Report = Schemas['BulkReport']['data'];
export type Success = Report['successItems'][number];
export type Failed = Report['failedItems'][number];

export type Placed = { readonly success: Success } | { readonly failed: Failed };

/**
 * Which outcome belongs to which item, by position. A report has two lists, each in the order of the items, and every
 * entry repeats the fields of its item: so the next item is the next of the list that it fits. Where it fits both (the
 * same item twice, once done and once refused) the failure names its position: `items[3]: …`. Gives undefined where even
 * that does not tell, rather than a guess.
 */
export function placed(items: readonly unknown[], report: Report): Placed[] | undefined {
  const { successItems, failedItems } = report;
  if (successItems.length + failedItems.length !== items.length) return undefined;
  if (failedItems.length === 0) return successItems.map((success) => ({ success }));
  const outcomes: Placed[] = [];
  let [successes, failures] = [0, 0];
  for (const [position, item] of items.entries()) {
    const success = successItems[successes];
    const failed = failedItems[failures];
    const isSuccess = success !== undefined && fits(item, success.payload);
    const isFailed = failed !== undefined && fits(item, failed.payload);
    const named = failed && positionIn(failed.error.detail);
    if (isFailed && (named === position || (named === undefined && !isSuccess))) {
      outcomes.push({ failed });
      failures++;
    } else if (isSuccess && (!isFailed || (named ?? -1) > position)) {
      outcomes.push({ success });
      successes++;
    } else return undefined;
  }
  return outcomes;
}

/** The echo leaves fields out, secrets among them; what it has must be what was sent. */
function fits(item: unknown, payload: Readonly<Record<string, unknown>>): boolean {
  const sent = Object(item) as Record<string, unknown>;
  return Object.entries(payload).every(
    ([field, value]) => value === sent[field] || JSON.stringify(value) === JSON.stringify(sent[field]),
  );
}

function positionIn(detail: string): number | undefined {
  const [, position] = /^items\[(\d+)\]: /.exec(detail) ?? [];
  return position === undefined ? undefined : Number(position);
}
