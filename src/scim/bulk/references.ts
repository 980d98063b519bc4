import { isObject, own } from '../language/json.js';
import type { BulkOperation } from './operation.js';

const reference = /^bulkId:(.+)$/is;

/** The bulkId that a text refers to (RFC 7644, section 3.7.2). */
export function referredBulkId(text: unknown): string | undefined {
  return typeof text === 'string' ? reference.exec(text)?.[1] : undefined;
}

/** What the order of operations depends on. */
export interface DataFacts {
  /** The bulkIds that occur where an ID may stand. */
  readonly bulkIds: readonly string[];
  readonly mentionsPassword: boolean;
}

/** Walks through the data once. It nests as deep as a request may. */
export function dataFacts(data: unknown): DataFacts {
  const bulkIds = new Set<string>();
  let mentionsPassword = false;
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      const bulkId = referredBulkId(value);
      if (bulkId !== undefined) bulkIds.add(bulkId);
    } else if (Array.isArray(value)) for (const each of value) visit(each);
    else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        const each = own(value, name);
        if (/password/i.test(name)) mentionsPassword = true;
        if (name.toLowerCase() === 'path' && typeof each === 'string') {
          if (/password/i.test(each)) mentionsPassword = true;
          for (const [, bulkId] of each.matchAll(referenceInPath)) if (bulkId) bulkIds.add(bulkId);
        } else visit(each);
      }
    }
  };
  visit(data);
  return { bulkIds: [...bulkIds], mentionsPassword };
}

/** As in members[value eq "bulkId:xyz"]. */
const referenceInPath = /"bulkId:([^"\\]+)"/gi;

/** The data with the IDs of resources that exist by now. */
export function withIds(data: unknown, idOf: (bulkId: string) => string | undefined): unknown {
  if (typeof data === 'string') {
    const bulkId = referredBulkId(data);
    return (bulkId === undefined ? undefined : idOf(bulkId)) ?? data;
  }
  if (Array.isArray(data)) return data.map((each) => withIds(each, idOf));
  if (!isObject(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, each]) => [
      name,
      name.toLowerCase() === 'path' && typeof each === 'string'
        ? each.replace(referenceInPath, (text, bulkId) => JSON.stringify(idOf(bulkId)) ?? text)
        : withIds(each, idOf),
    ]),
  );
}

/** An operation with everything that it refers to. */
export interface LinkedOperation extends BulkOperation {
  /** Its index in the request. */
  readonly position: number;
  readonly mentionsPassword: boolean;
  /** In its path or its data. */
  readonly bulkIds: readonly string[];
}

export interface OperationOrder {
  /** Positions, each after those that create what it refers to; otherwise as they were sent. */
  readonly order: readonly number[];
  /** Positions of operations that refer to each other in a circle. */
  readonly circular: ReadonlySet<number>;
}

/** Takes time in proportion to the number of references, however they are linked. */
export function orderOf(operations: readonly (LinkedOperation | undefined)[]): OperationOrder {
  const creators = creatorsOf(operations);
  const needs = operations.map((operation) => [
    ...new Set((operation?.bulkIds ?? []).flatMap((bulkId) => creators.get(bulkId) ?? [])),
  ]);
  const circular = circularIn(needs);
  const order: number[] = [];
  const isPlaced = new Uint8Array(operations.length);
  const looked = new Uint32Array(operations.length);
  for (const first of operations.keys()) {
    const path = [first];
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const isDone = isPlaced[at] === 1 || circular.has(at);
      const next = isDone ? undefined : needs[at]?.[looked[at] ?? 0];
      looked[at] = (looked[at] ?? 0) + 1;
      if (next === undefined) {
        path.pop();
        if (!isPlaced[at]) order.push(at);
        isPlaced[at] = 1;
      } else if (!isPlaced[next] && !circular.has(next)) path.push(next);
    }
  }
  return { order, circular };
}

/** The positions of the operations that create resources, by bulkId. The first one counts. */
export function creatorsOf(operations: readonly (LinkedOperation | undefined)[]): Map<string, number> {
  const creators = new Map<string, number>();
  for (const operation of operations) {
    const { method, bulkId, position } = operation ?? {};
    if (method !== 'POST' || bulkId === undefined || position === undefined) continue;
    if (!creators.has(bulkId)) creators.set(bulkId, position);
  }
  return creators;
}

/** Removes everything that waits for nobody, and everything nobody waits for: what is left is in circles or between them. */
function circularIn(needs: readonly (readonly number[])[]): Set<number> {
  const waitingFor: number[][] = needs.map(() => []);
  for (const [position, needed] of needs.entries())
    for (const each of needed) waitingFor[each]?.push(position);
  const left = peeled(new Set(needs.keys()), needs, waitingFor);
  return peeled(left, waitingFor, needs);
}

/** Without those that have no link to others that are left. */
function peeled(
  among: ReadonlySet<number>,
  linksOf: readonly (readonly number[])[],
  linkedBy: readonly (readonly number[])[],
): Set<number> {
  const left = new Set(among);
  const links = linksOf.map((each) => each.reduce((count, other) => count + (among.has(other) ? 1 : 0), 0));
  const free = [...left].filter((each) => links[each] === 0);
  for (let each = free.pop(); each !== undefined; each = free.pop()) {
    left.delete(each);
    for (const other of linkedBy[each] ?? []) {
      if (!left.has(other)) continue;
      links[other] = (links[other] ?? 0) - 1;
      if (links[other] === 0) free.push(other);
    }
  }
  return left;
}
