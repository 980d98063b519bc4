import type { FastifyRequest } from 'fastify';
import { othersTurn } from '../domain/others-turn.js';
import { type Origin, type Parsed, quoted } from '../domain/read-fields.js';
import type { JsonBody } from './json-body.js';
import { Refused } from './refused.js';
import { requireBody } from './request-body.js';

/** The items of a bulk call: the envelope is right, what the items hold is not known yet. */
export interface BulkItems {
  readonly items: readonly unknown[];
  /** The same items with their numbers as written, for the echo. */
  readonly exactItems: readonly unknown[];
  /** By position, the first field that an item gives twice. */
  readonly repeatedFields: ReadonlyMap<number, string>;
}

export function readBulkItems(request: FastifyRequest, itemsMax: number): BulkItems {
  const body = requireBody(request);
  const items = itemsOf(body.value);
  const stray = body.repeated.find(({ path }) => path[0] !== 'items' || typeof path[1] !== 'number');
  if (stray) throw invalidEnvelope(`"${quoted(stray.field)}" is given twice`);
  if (items.length > itemsMax) throw tooManyItems(items.length, itemsMax, 'items');
  return {
    items,
    exactItems: body.exact === body.value ? items : itemsOf(body.exact),
    repeatedFields: repeatedFields(body),
  };
}

export function tooManyItems(count: number, itemsMax: number, noun: string): Refused {
  return new Refused(
    'REQUEST_TOO_MANY_ITEMS',
    `A call may have at most ${itemsMax} ${noun}; this one has ${count}. Send them in several calls.`,
  );
}

function itemsOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidEnvelope('the body is not an object');
  }
  const stray = Object.keys(value).find((field) => field !== 'items');
  if (stray !== undefined) throw invalidEnvelope(`"${quoted(stray)}" is not known`);
  if (!('items' in value)) throw invalidEnvelope('"items" is missing');
  if (!Array.isArray(value.items)) throw invalidEnvelope('"items" is not an array');
  return value.items;
}

function invalidEnvelope(problem: string): Refused {
  return new Refused('REQUEST_BODY_INVALID', `Send {"items": [ … ]} and nothing beside it: ${problem}.`);
}

function repeatedFields(body: JsonBody): Map<number, string> {
  return new Map(body.repeated.map(({ path, field }) => [path[1] as number, field] as const).reverse());
}

/** A long call is read and reported a piece at a time. */
export const itemsAtOnce = 1_000;

export async function parseItems<T>(
  { items, repeatedFields }: BulkItems,
  parse: (item: unknown, origin: Origin) => Parsed<T>,
): Promise<Parsed<T>[]> {
  const parsed: Parsed<T>[] = [];
  for (const [position, item] of items.entries()) {
    if (position > 0 && position % itemsAtOnce === 0) await othersTurn();
    parsed.push(parse(item, { position, repeatedField: repeatedFields.get(position) }));
  }
  return parsed;
}
