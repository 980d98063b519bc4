import type { FastifyReply } from 'fastify';
import { errorBody } from '../contract/errors.js';
import { visibleOutcome } from '../domain/access/visibility.js';
import type { DonePart, ItemOutcome } from '../domain/calls/outcomes.js';
import { othersTurn } from '../domain/others-turn.js';
import { type BulkItems, itemsAtOnce } from './bulk-items.js';
import { writeExactJson } from './exact-json.js';

export interface ReportOptions {
  readonly submitted: Pick<BulkItems, 'items' | 'exactItems'>;
  /** The fields that are given back. */
  readonly echoed: readonly string[];
  /** The fields whose values come with the items. */
  readonly sentFields: ReadonlySet<string>;
  /** Whether the caller may read users, and so also what did not come with the items. */
  readonly mayRead: boolean;
  /** Whether the report tells more than the contract's: effects, and who has a taken name. */
  readonly effects: boolean;
}

/** Items in the words of the report, each list without its brackets. */
interface Written {
  readonly count: number;
  readonly successItems: string;
  readonly failedItems: string;
}

/** The contract's report: every item in exactly one of the two lists, each in the order of submission. */
export class BulkReport {
  readonly #options: ReportOptions;
  readonly #write: (value: unknown) => string;
  /** Where the pieces of parts begin that are done. */
  readonly #starts = new Set<number>();
  /** By the position of the first item. */
  readonly #written = new Map<number, Written>();

  constructor(options: ReportOptions) {
    this.#options = options;
    const { items, exactItems } = options.submitted;
    // JSON.stringify is the fastest there is for this shape.
    this.#write = exactItems === items ? JSON.stringify : writeExactJson;
  }

  /** Puts a part that is done into words, while the database is at work on the next. */
  readonly note = async ({ first, outcomes }: DonePart): Promise<void> => {
    const pieces: DonePart[] = [];
    for (let at = 0; at < outcomes.length; at += itemsAtOnce) {
      this.#starts.add(first + at);
      pieces.push({ first: first + at, outcomes: outcomes.slice(at, at + itemsAtOnce) });
    }
    for (const piece of pieces) {
      await othersTurn();
      this.#inWords(piece);
    }
  };

  async send(reply: FastifyReply, outcomes: readonly ItemOutcome[]): Promise<FastifyReply> {
    const pieces: Written[] = [];
    for (let first = 0; first < outcomes.length; first += pieces.at(-1)?.count ?? 0) {
      if (first > 0 && !this.#written.has(first)) await othersTurn();
      const end = Math.min(first + itemsAtOnce, ...[...this.#starts].filter((start) => start > first));
      pieces.push(this.#inWords({ first, outcomes: outcomes.slice(first, end) }));
    }
    const list = (name: 'successItems' | 'failedItems') =>
      `"${name}":[${pieces.flatMap((piece) => piece[name] || []).join()}]`;
    return reply
      .type('application/json; charset=utf-8')
      .send(
        `{"status":"success","message":"Bulk call processed.","data":{${list('successItems')},${list('failedItems')}}}`,
      );
  }

  #inWords(piece: DonePart): Written {
    const written = this.#written.get(piece.first) ?? this.#words(piece);
    this.#written.set(piece.first, written);
    return written;
  }

  #words({ first, outcomes }: DonePart): Written {
    const { submitted, echoed, effects, sentFields, mayRead } = this.#options;
    const successes: unknown[] = [];
    const failures: unknown[] = [];
    for (const [index, done] of outcomes.entries()) {
      const outcome = visibleOutcome(done, sentFields, mayRead);
      const payload = echo(submitted.exactItems[first + index], echoed);
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
    return {
      count: outcomes.length,
      successItems: this.#write(successes).slice(1, -1),
      failedItems: this.#write(failures).slice(1, -1),
    };
  }
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
