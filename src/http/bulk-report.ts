import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from '../contract/errors.js';
import type { ItemOutcome } from '../domain/calls/outcomes.js';
import { othersTurn } from '../domain/others-turn.js';
import { type Origin, type Parsed, quoted } from '../domain/read-fields.js';
import { writeExactJson } from './exact-json.js';
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
  if (items.length > itemsMax) {
    throw new Refused(
      'REQUEST_TOO_MANY_ITEMS',
      `A call may have at most ${itemsMax} items; this one has ${items.length}. Send them in several calls.`,
    );
  }
  return {
    items,
    exactItems: body.exact === body.value ? items : itemsOf(body.exact),
    repeatedFields: repeatedFields(body),
  };
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
const itemsAtOnce = 1_000;

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

export interface BulkReport {
  readonly submitted: Pick<BulkItems, 'items' | 'exactItems'>;
  /** The fields that are given back. */
  readonly echoed: readonly string[];
  readonly outcomes: readonly ItemOutcome[];
  /** Whether the report tells more than the contract's: effects, and who has a taken name. */
  readonly effects: boolean;
}

/** The contract's report: every item in exactly one of the two lists, each in the order of submission. */
export async function sendBulkReport(
  reply: FastifyReply,
  { submitted: { items, exactItems }, echoed, outcomes, effects }: BulkReport,
): Promise<FastifyReply> {
  // JSON.stringify is the fastest there is for this shape.
  const write = exactItems === items ? JSON.stringify : writeExactJson;
  const successItems: string[] = [];
  const failedItems: string[] = [];
  for (let first = 0; first < outcomes.length; first += itemsAtOnce) {
    if (first > 0) await othersTurn();
    const successes: unknown[] = [];
    const failures: unknown[] = [];
    for (const [index, outcome] of outcomes.slice(first, first + itemsAtOnce).entries()) {
      const payload = echo(exactItems[first + index], echoed);
      if (outcome.ok) {
        const { serial, effect } = outcome;
        successes.push(
          effects ? { payload, response: { serial }, effect } : { payload, response: { serial } },
        );
      } else {
        const { takenBy } = outcome.failure;
        const error = errorBody(outcome.failure);
        failures.push({ payload, error, ...(effects && takenBy && { takenBy }) });
      }
    }
    if (successes.length > 0) successItems.push(write(successes).slice(1, -1));
    if (failures.length > 0) failedItems.push(write(failures).slice(1, -1));
  }
  const data = `{"successItems":[${successItems.join()}],"failedItems":[${failedItems.join()}]}`;
  return reply
    .type('application/json; charset=utf-8')
    .send(`{"status":"success","message":"Bulk call processed.","data":${data}}`);
}

/** The submitted fields that the report gives back, exactly as sent: what was absent stays absent. */
function echo(item: unknown, fields: readonly string[]): object {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return {};
  const payload: Record<string, unknown> = {};
  for (const field of fields) {
    if (Object.hasOwn(item, field)) payload[field] = (item as Record<string, unknown>)[field];
  }
  return payload;
}
