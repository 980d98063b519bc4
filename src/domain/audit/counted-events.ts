import type { AccessEventKind } from '../../contract/access-events.js';
import { addToAccessEvent, insertAccessEvent } from '../../storage/access/access-events.js';
import type { Executor } from '../../storage/database.js';
import type { Caller } from '../caller.js';
import { type AccessFacts, accessEvent } from './access-event.js';

const windowMs = 60_000;

interface Group {
  rows: number;
  lastId: string;
  repeated: number;
}

export interface CountedEvent {
  readonly kind: AccessEventKind;
  readonly caller: Partial<Caller>;
  readonly facts: AccessFacts;
  /** What belongs together, such as all that one client does. */
  readonly group: string;
  /** So many of a group are recorded in a minute; the rest is counted on the last of them. */
  readonly rowsMax: number;
}

/**
 * Puts on record what callers can make happen as often as they like, without letting them fill the table: a node writes
 * only so many rows a minute for each group, and then one more time, how many others there were (`detail.repeated`).
 */
export class CountedEvents {
  readonly #executor: Executor;
  #groups = new Map<string, Group>();
  #windowEnd: NodeJS.Timeout | undefined;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  get groups(): number {
    return this.#groups.size;
  }

  has(group: string): boolean {
    return this.#groups.has(group);
  }

  async record({ kind, caller, facts, group, rowsMax }: CountedEvent): Promise<void> {
    this.#windowEnd ??= setTimeout(() => void this.flush().catch(() => {}), windowMs).unref();
    const known = this.#groups.get(group);
    if (known && known.rows >= rowsMax) {
      known.repeated++;
      return;
    }
    const event = accessEvent(kind, caller, facts);
    this.#groups.set(group, { rows: (known?.rows ?? 0) + 1, lastId: event.id, repeated: 0 });
    await insertAccessEvent(this.#executor, event);
  }

  /** Ends the minute: writes down what was only counted. Also before the service stops. */
  async flush(): Promise<void> {
    clearTimeout(this.#windowEnd);
    this.#windowEnd = undefined;
    const groups = [...this.#groups.values()];
    this.#groups = new Map();
    for (const { lastId, repeated } of groups) {
      if (repeated > 0) await addToAccessEvent(this.#executor, lastId, { repeated });
    }
  }
}
