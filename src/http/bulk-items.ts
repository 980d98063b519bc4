import type { FastifyRequest } from 'fastify';
import { failure } from '../contract/errors.js';
import { type Origin, type Parsed, quoted } from '../domain/read-fields.js';
import { meantBy, withoutForeign } from './foreign-names.js';
import type { ListBody } from './list-body.js';
import { requireList } from './request-body.js';
import { RequestRejected } from './request-rejected.js';

/** Reads the items of a bulk call. The envelope is valid; the content of the items is not checked yet. */
export async function readBulkItems(
  request: FastifyRequest,
  fields: readonly string[],
  itemsMax: number,
  /** If unknown fields beside the items are ignored: names that must not be. */
  notIgnored?: readonly string[],
): Promise<ListBody> {
  const body = await requireList(request, { list: 'items', fields, elementsMax: itemsMax });
  checkEnvelope(body.envelope, notIgnored);
  if (body.repeatedField !== undefined) {
    throw invalidEnvelope(`"${quoted(body.repeatedField)}" appears twice`, quoted(body.repeatedField));
  }
  if (body.count > itemsMax) throw tooManyItems(body.count, itemsMax, 'items');
  return body;
}

export function tooManyItems(count: number, itemsMax: number, noun: string): RequestRejected {
  return new RequestRejected(
    failure(
      'REQUEST_TOO_MANY_ITEMS',
      `A call can have at most ${itemsMax} ${noun}, but this one has ${count}. Split it into several calls.`,
      { limit: itemsMax, count },
    ),
  );
}

function checkEnvelope(value: unknown, notIgnored: readonly string[] | undefined): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidEnvelope('the body is not an object');
  }
  const read = notIgnored ? withoutForeign({ ...value }, ['items', ...notIgnored]) : value;
  const stray = Object.keys(read).find((field) => field !== 'items');
  if (stray !== undefined) {
    const parameter = notIgnored && meantBy(stray, notIgnored);
    const advice = parameter === undefined ? '' : `. Send the parameter ${parameter} in the query`;
    throw invalidEnvelope(`"${quoted(stray)}" is unknown${advice}`, quoted(stray));
  }
  if (!('items' in value)) throw invalidEnvelope('"items" is missing', 'items');
  if (!Array.isArray(value.items)) throw invalidEnvelope('"items" is not an array', 'items');
}

function invalidEnvelope(problem: string, field?: string): RequestRejected {
  const detail = `The body must be {"items": [ … ]} and nothing else: ${problem}.`;
  return new RequestRejected(
    failure('REQUEST_BODY_INVALID', detail, field === undefined ? undefined : { field }),
  );
}

export async function parseItems<T>(
  items: ListBody,
  parse: (item: unknown, origin: Origin) => Parsed<T>,
  seen: (item: Parsed<T>) => void = () => {},
): Promise<Parsed<T>[]> {
  const parsed: Parsed<T>[] = [];
  await items.each((item, origin) => {
    const each = parse(item, origin);
    parsed.push(each);
    seen(each);
  });
  return parsed;
}
