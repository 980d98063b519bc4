import { v7 } from 'uuid';
import { scimLimits } from '../../contract/limits.js';
import type { Database, Executor } from '../../storage/database.js';
import { databaseOutage } from '../../storage/errors.js';
import {
  deleteOlderScimRequests,
  insertScimRequests,
  type NewScimRequest,
} from '../../storage/scim/requests.js';

/** A request of a provider, without personal data. */
export type ScimRequestEntry = Omit<NewScimRequest, 'id' | 'at'>;

const writtenAfterMs = 1_000;
/** More than a few providers send within a second. */
const waitingMax = 4 * scimLimits.requestsKept;
const ignoredNamesMax = 20;
/** Whatever else was sent as a name could be anything. */
const attributeName = /^[A-Za-z$][\w$:.-]{0,127}$/;

/** The last requests of each provider. Written in batches, because a request must not wait for a log. */
export class ScimRequestLog {
  readonly #database: Database;
  #waiting: NewScimRequest[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  record(entry: ScimRequestEntry): void {
    const ignoredAttributes = entry.ignoredAttributes
      .filter((name) => attributeName.test(name))
      .slice(0, ignoredNamesMax);
    this.#waiting.push({ ...entry, ignoredAttributes, id: v7(), at: new Date().toISOString() });
    if (this.#waiting.length > waitingMax) this.#waiting.splice(0, scimLimits.requestsKept);
    this.#timer ??= setTimeout(() => void this.flush().catch(() => {}), writtenAfterMs).unref();
  }

  /** Writes what is waiting. Also called before the service stops. What can't be written is lost. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const requests = lastOfEach(this.#waiting);
    this.#waiting = [];
    if (requests.length === 0) return;
    const { pool } = this.#database;
    await insertAll(pool, requests);
    await deleteOlderScimRequests(pool, [...new Set(requests.map(({ clientId }) => clientId))]);
  }
}

/** All at once, unless the database refuses one of them: that one must not lose those of other providers. */
async function insertAll(executor: Executor, requests: readonly NewScimRequest[]): Promise<void> {
  try {
    await insertScimRequests(executor, requests);
  } catch (error) {
    if (databaseOutage(error)) throw error;
    for (const request of requests) await insertScimRequests(executor, [request]).catch(() => {});
  }
}

/** As many requests of each provider as are kept. */
function lastOfEach(requests: readonly NewScimRequest[]): NewScimRequest[] {
  const counts = new Map<string, number>();
  const last = requests.toReversed().filter(({ clientId }) => {
    const count = (counts.get(clientId) ?? 0) + 1;
    counts.set(clientId, count);
    return count <= scimLimits.requestsKept;
  });
  return last.reverse();
}
