import type { FastifyRequest } from 'fastify';
import { failure } from '../contract/errors.js';
import { type Origin, type Parsed, quoted } from '../domain/read-fields.js';
import { TimeSlice } from '../domain/yield-to-event-loop.js';
import type { Metrics } from '../telemetry/metrics.js';
import { bulkPhase } from '../telemetry/tracing.js';
import { meantBy, withoutForeign } from './foreign-names.js';
import type { ListBody } from './list-body.js';
import { requireList } from './request-body.js';
import { RequestRejected } from './request-rejected.js';

/** How many items are parsed before the database can start on them. */
const blockItems = 500;

/** Reads the items of a bulk call. The envelope is valid; the content of the items is not checked yet. */
export async function readBulkItems(
  request: FastifyRequest,
  fields: readonly string[],
  itemsMax: number,
  /** If unknown fields beside the items are ignored: names that must not be. */
  notIgnored?: readonly string[],
): Promise<ListBody> {
  const body = await requireList(request, {
    list: 'items',
    fields,
    objectField: 'attributes',
    elementsMax: itemsMax,
  });
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

/** The items of a bulk call, parsed in blocks. */
export class ParsedItems<T> {
  readonly body: ListBody;
  /** What is parsed so far, by position. */
  readonly parsed: Parsed<T>[] = [];
  readonly #elements: ReturnType<ListBody['elements']>;
  readonly #metrics: Metrics | undefined;
  readonly #parse: (item: unknown, origin: Origin) => Parsed<T>;

  constructor(
    body: ListBody,
    metrics: Metrics | undefined,
    parse: (item: unknown, origin: Origin) => Parsed<T>,
  ) {
    this.body = body;
    this.#elements = body.elements();
    this.#metrics = metrics;
    this.#parse = parse;
  }

  /** Those that are not parsed yet. */
  async *blocks(): AsyncGenerator<readonly Parsed<T>[], void, void> {
    while (this.parsed.length < this.body.count) {
      yield await bulkPhase(this.#metrics, 'parse', () => this.#parseBlock());
    }
  }

  async all(): Promise<readonly Parsed<T>[]> {
    for await (const _block of this.blocks());
    return this.parsed;
  }

  async #parseBlock(): Promise<readonly Parsed<T>[]> {
    const slice = new TimeSlice();
    const first = this.parsed.length;
    const end = Math.min(this.body.count, first + blockItems);
    while (this.parsed.length < end) {
      if (slice.isOver) await slice.yield();
      const element = this.#elements.next();
      if (element.done) throw new Error('the list has fewer elements than it counted');
      this.parsed.push(this.#parse(...element.value));
    }
    return this.parsed.slice(first);
  }
}
