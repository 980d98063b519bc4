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

export interface ThrottledEvent {
  readonly kind: AccessEventKind;
  readonly caller: Partial<Caller>;
  readonly facts: AccessFacts;
  /** Events that share a limit, such as all events of one client. */
  readonly group: string;
  /** How many events of a group are recorded per minute. Further ones are counted on the last. */
  readonly rowsMax: number;
}

/**
 * Records events that callers can trigger without limit, without letting them fill the table. A node writes a limited
 * number of rows per group and minute, and then once the number of further events (`detail.repeated`).
 */
export class ThrottledEvents {
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

  async record({ kind, caller, facts, group, rowsMax }: ThrottledEvent): Promise<void> {
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

  /** Ends the minute and writes the counts. Also called before the service stops. */
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
