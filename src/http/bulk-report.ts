import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { errorBody } from '../contract/errors.js';
import { type VisibleOutcome, visibleOutcome } from '../domain/access/visibility.js';
import type { Showing } from '../domain/attributes/show-users.js';
import type { ItemOutcome } from '../domain/bulk/outcomes.js';
import type { CallResult, CallRun } from '../domain/bulk/run-call.js';
import type { Normalized } from '../domain/read-fields.js';
import { TimeSlice, yieldToEventLoop } from '../domain/yield-to-event-loop.js';

/** A text, or bytes of the request. */
export type Piece = string | Buffer;

interface ItemNotes {
  readonly normalized?: Normalized | undefined;
  readonly ignored?: readonly string[] | undefined;
}

export interface ReportOptions {
  /** The part of an item that the report returns, as JSON. */
  payload(position: number): readonly Piece[] | string;
  /** The fields whose values come with the items. */
  readonly sentFields: ReadonlySet<string>;
  /** Whether the caller may read users, and therefore values that did not come with the items. */
  readonly mayRead: boolean;
  /** Whether successes list what they changed, and how it is shown. */
  readonly effects: boolean;
  readonly showing?: Showing | undefined;
  /** The fields of an item that are stored in another form than they were sent in, and those that were ignored. */
  notes?(position: number): ItemNotes | undefined;
  /** Whether the report has more than the fields of the contract: positions, normalized fields, and the data of errors. */
  readonly details: boolean;
}

/** Texts are converted to bytes in pieces of about this length. */
const pieceLength = 64 * 1024;

/** The entries of consecutive items, in the lists they belong to. */
interface ReportPart {
  /** The position after the last item. */
  readonly end: number;
  readonly successItems: Pieces;
  readonly failedItems: Pieces;
}

/** The report defined by the contract: every item in exactly one of two lists, each in order of submission. */
export class BulkReport {
  readonly #options: ReportOptions;
  /** By the position of their first item. */
  readonly #parts = new Map<number, Promise<ReportPart>>();

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /** Follows a call to its end, and serializes what it has finished while the database runs the rest. */
  async follow(call: CallRun): Promise<CallResult> {
    for (;;) {
      const step = await call.next();
      if (step.done) return step.value;
      const { first, outcomes } = step.value;
      this.#parts.set(
        first,
        yieldToEventLoop().then(() => this.#render(first, outcomes)),
      );
    }
  }

  async send(
    reply: FastifyReply,
    outcomes: readonly ItemOutcome[],
    message = 'Bulk call processed.',
  ): Promise<FastifyReply> {
    const parts: ReportPart[] = [];
    for (let first = 0; first < outcomes.length; first = parts.at(-1)?.end ?? outcomes.length) {
      const rendering = this.#parts.get(first) ?? this.#render(first, this.#notYetRendered(first, outcomes));
      parts.push(await rendering);
    }
    const whole = new Pieces();
    whole.text(`{"status":"success","message":"${message}","data":{"successItems":[`);
    whole.addAll(parts.map(({ successItems }) => successItems));
    whole.text('],"failedItems":[');
    whole.addAll(parts.map(({ failedItems }) => failedItems));
    whole.text(']}}');
    return whole.send(reply);
  }

  #notYetRendered(first: number, outcomes: readonly ItemOutcome[]): readonly ItemOutcome[] {
    const later = [...this.#parts.keys()].filter((start) => start > first);
    return outcomes.slice(first, Math.min(outcomes.length, ...later));
  }

  async #render(first: number, outcomes: readonly ItemOutcome[]): Promise<ReportPart> {
    const part = { end: first + outcomes.length, successItems: new Pieces(), failedItems: new Pieces() };
    const slice = new TimeSlice();
    for (const [index, outcome] of outcomes.entries()) {
      if (slice.isOver) await slice.yield();
      const list = outcome.ok ? part.successItems : part.failedItems;
      list.add(this.#entry(first + index, outcome));
    }
    return part;
  }

  #entry(position: number, done: ItemOutcome): readonly Piece[] | string {
    const { sentFields, mayRead, details } = this.#options;
    const outcome = visibleOutcome(done, position, { sentFields, mayRead });
    const outcomeFields = outcome.ok ? this.#success(outcome) : this.#failure(outcome);
    const rest = details ? `,"position":${position}${outcomeFields}${this.#forms(position)}` : outcomeFields;
    const payload = this.#options.payload(position);
    return typeof payload === 'string'
      ? `{"payload":${payload}${rest}}`
      : ['{"payload":', ...payload, `${rest}}`];
  }

  #success({ serial, effect }: VisibleOutcome & { ok: true }): string {
    const response = `,"response":{"serial":${serial === null ? null : `"${serial}"`}}`;
    if (!this.#options.effects) return response;
    const { showing } = this.#options;
    const shown = effect && showing ? { ...effect, fields: showing.fields(effect.fields) } : effect;
    return `${response},"effect":${JSON.stringify(shown)}`;
  }

  #forms(position: number): string {
    const { normalized, ignored } = this.#options.notes?.(position) ?? {};
    const forms = normalized ? `,"normalized":${JSON.stringify(normalized)}` : '';
    return ignored ? `${forms},"ignored":${JSON.stringify(ignored)}` : forms;
  }

  #failure({ failure }: VisibleOutcome & { ok: false }): string {
    const { details } = this.#options;
    const { data, ...body } = errorBody(failure, details);
    const reason = failure.reason ?? failure.detail;
    return `,"error":${JSON.stringify(details ? { ...body, reason, data } : body)}`;
  }
}

/** A reply of many megabytes that is never concatenated. */
class Pieces {
  readonly #done: Buffer[] = [];
  #text = '';
  isEmpty = true;

  text(text: string): void {
    this.#text += text;
    if (this.#text.length >= pieceLength) this.#flush();
  }

  add(entry: readonly Piece[] | string): void {
    if (!this.isEmpty) this.#text += ',';
    this.isEmpty = false;
    for (const piece of typeof entry === 'string' ? [entry] : entry) {
      if (typeof piece === 'string') this.text(piece);
      else {
        this.#flush();
        this.#done.push(piece);
      }
    }
  }

  /** Adds the entries of these lists as one list. */
  addAll(lists: readonly Pieces[]): void {
    for (const [index, list] of lists.filter(({ isEmpty }) => !isEmpty).entries()) {
      if (index > 0) this.#text += ',';
      if (list.#done.length > 0) this.#flush();
      for (const piece of list.#done) this.#done.push(piece);
      this.text(list.#text);
    }
  }

  #flush(): void {
    if (this.#text !== '') this.#done.push(Buffer.from(this.#text));
    this.#text = '';
  }

  send(reply: FastifyReply): FastifyReply {
    this.#flush();
    const bytes = this.#done.reduce((sum, { length }) => sum + length, 0);
    const [first, ...others] = this.#done;
    return reply
      .type('application/json; charset=utf-8')
      .header('content-length', bytes)
      .send(others.length === 0 ? first : Readable.from(this.#done, { objectMode: false }));
  }
}
