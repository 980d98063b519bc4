import type { FastifyRequest } from 'fastify';
import { type Origin, type Parsed, quoted } from '../domain/read-fields.js';
import type { ListBody } from './list-body.js';
import { requireList } from './request-body.js';
import { RequestRejected } from './request-rejected.js';

/** Reads the items of a bulk call. The envelope is valid; the content of the items is not checked yet. */
export async function readBulkItems(
  request: FastifyRequest,
  fields: readonly string[],
  itemsMax: number,
): Promise<ListBody> {
  const body = await requireList(request, { list: 'items', fields, elementsMax: itemsMax });
  checkEnvelope(body.envelope);
  if (body.repeatedField !== undefined) throw invalidEnvelope(`"${body.repeatedField}" is given twice`);
  if (body.count > itemsMax) throw tooManyItems(body.count, itemsMax, 'items');
  return body;
}

export function tooManyItems(count: number, itemsMax: number, noun: string): RequestRejected {
  return new RequestRejected(
    'REQUEST_TOO_MANY_ITEMS',
    `A call may have at most ${itemsMax} ${noun}; this one has ${count}. Send them in several calls.`,
  );
}

function checkEnvelope(value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidEnvelope('the body is not an object');
  }
  const stray = Object.keys(value).find((field) => field !== 'items');
  if (stray !== undefined) throw invalidEnvelope(`"${quoted(stray)}" is not known`);
  if (!('items' in value)) throw invalidEnvelope('"items" is missing');
  if (!Array.isArray(value.items)) throw invalidEnvelope('"items" is not an array');
}

function invalidEnvelope(problem: string): RequestRejected {
  return new RequestRejected(
    'REQUEST_BODY_INVALID',
    `Send {"items": [ … ]} and nothing beside it: ${problem}.`,
  );
}

export async function parseItems<T>(
  items: ListBody,
  parse: (item: unknown, origin: Origin) => Parsed<T>,
): Promise<Parsed<T>[]> {
  const parsed: Parsed<T>[] = [];
  await items.each((item, origin) => parsed.push(parse(item, origin)));
  return parsed;
}
