import { failure } from '../contract/errors.js';
import type { Parsed } from '../domain/read-fields.js';
import { scimFailure } from '../domain/scim/failures.js';
import { TimeSlice, yieldToEventLoop } from '../domain/yield-to-event-loop.js';
import { type SentOperation, sentOperation } from '../scim/bulk/operation.js';
import { failed } from '../scim/language/outcome.js';
import { encodingProblem, scanFailure, startOf, TextPosition, textAt } from './json-body.js';
import { type JsonListener, JsonScanner } from './json-scanner.js';
import { RequestRejected } from './request-rejected.js';

const scanSliceBytes = 128 * 1024;

interface BodyLimits {
  readonly operationsMax: number;
  /** Of one operation, which may be as large as a request of its own. */
  readonly operationMaxBytes: number;
}

/** Checks the body of a bulk request, and locates its operations before any value is built. */
export async function readScimBulkBody(bytes: Buffer, limits: BodyLimits): Promise<ScimBulkBody> {
  if (bytes.length > scanSliceBytes) await yieldToEventLoop(); // its buffers have just been concatenated
  const problem = encodingProblem(bytes);
  if (problem) throw new RequestRejected(problem);
  const body = new ScimBulkBody(bytes, limits);
  const scanner = new JsonScanner(bytes, startOf(bytes), body);
  const slice = new TimeSlice();
  while (scanner.scan(scanSliceBytes) === 'unfinished') if (slice.isOver) await slice.yield();
  if (scanner.state !== 'done') {
    throw new RequestRejected(scanFailure(scanner, new TextPosition(bytes).advance(scanner.at)));
  }
  const { operationsMax } = limits;
  if (!body.hasList) throw invalid('"Operations" must be a list.');
  if (body.count > operationsMax) {
    throw new RequestRejected(
      failure(
        'REQUEST_TOO_MANY_ITEMS',
        `A request can have at most ${operationsMax} operations, but this one has ${body.count}. Split it into several requests.`,
        { limit: operationsMax, count: body.count },
      ),
    );
  }
  return body;
}

function invalid(detail: string): RequestRejected {
  return new RequestRejected(scimFailure(failed('invalidSyntax', detail)));
}

/** Longer names and values of an operation that is too large are not repeated in the response. */
const smallMaxBytes = 4_096;
const echoed = new Set(['method', 'path', 'bulkid']);

type Range = readonly [start: number, end: number];

export class ScimBulkBody implements JsonListener {
  readonly depthMax = 3;
  count = 0;
  hasList = false;
  /** What the response repeats of the operations that have been read. */
  readonly sent: SentOperation[] = [];
  readonly #bytes: Buffer;
  readonly #limits: BodyLimits;
  readonly #ranges: Range[] = [];
  /** What is known of operations that are too large, by position. */
  readonly #outlines = new Map<number, Record<string, unknown>>();
  #field = '';
  #failOnErrors: unknown;
  #name: string | undefined;
  #outline: Record<string, Range> = {};

  constructor(bytes: Buffer, limits: BodyLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
  }

  field(depth: number, start: number, end: number): void {
    if (depth === 1) this.#field = textAt(this.#bytes, start, end).toLowerCase();
    else if (depth === 3 && this.#field === 'operations') {
      const name = end - start <= 'bulkId'.length + 2 ? textAt(this.#bytes, start, end).toLowerCase() : '';
      this.#name = echoed.has(name) ? name : undefined;
    }
  }

  value(depth: number, start: number, end: number): void {
    if (depth === 3 && this.#name !== undefined) this.#outline[this.#name] = [start, end];
    else if (depth === 2 && this.#field === 'operations') this.#endOperation(start, end);
    else if (depth === 1) this.#endField(start, end);
  }

  #endField(start: number, end: number): void {
    const isSmall = end - start <= smallMaxBytes;
    if (this.#field === 'operations') {
      if (this.hasList) throw invalid('"Operations" appears twice.');
      this.hasList = this.#bytes[start] === 0x5b;
    } else if (this.#field === 'failonerrors') this.#failOnErrors = isSmall ? this.#valueAt(start, end) : {};
  }

  #endOperation(start: number, end: number): void {
    const position = this.count++;
    if (position < this.#limits.operationsMax) {
      this.#ranges.push([start, end]);
      if (end - start > this.#limits.operationMaxBytes) {
        const small = Object.entries(this.#outline).filter(([, [from, to]]) => to - from <= smallMaxBytes);
        const known = small.map(([name, range]) => [name, this.#valueAt(...range)]);
        this.#outlines.set(position, Object.fromEntries(known));
      }
    }
    this.#outline = {};
  }

  #valueAt(start: number, end: number): unknown {
    return JSON.parse(this.#bytes.toString('utf8', start, end));
  }

  /** Undefined if it is absent. */
  get failOnErrors(): number | undefined {
    const sent = this.#failOnErrors;
    if (sent === undefined || sent === null) return undefined;
    if (typeof sent === 'number' && Number.isInteger(sent) && sent > 0) return sent;
    throw new RequestRejected(
      scimFailure(failed('invalidValue', '"failOnErrors" must be an integer of at least 1.')),
    );
  }

  *operations(): Generator<Parsed<unknown>> {
    const { operationMaxBytes } = this.#limits;
    for (const [position, range] of this.#ranges.entries()) {
      const outline = this.#outlines.get(position);
      const value = outline ?? this.#valueAt(...range);
      this.sent.push(sentOperation(value));
      yield outline
        ? {
            ok: false,
            failure: failure(
              'REQUEST_BODY_TOO_LARGE',
              `The operation exceeds the limit of ${operationMaxBytes} bytes for one operation.`,
              { limit: operationMaxBytes },
            ),
          }
        : { ok: true, value };
    }
  }
}
