import { type Failure, failure, retry } from '../../contract/errors.js';
import type { Database } from '../../storage/database.js';
import { appliedVersion, schemaVersion } from '../../storage/migrate.js';

type State = 'starting' | 'ready' | 'stopping';

/** The lifecycle state of the process. Operations run only while it is ready. */
export class Readiness {
  #state: State = 'starting';
  readonly #waiting = new Set<() => void>();

  get state(): State {
    return this.#state;
  }

  set state(next: State) {
    this.#state = next;
    for (const wake of this.#waiting) wake();
  }

  /** Resolves when the service is ready or stopping, on timeout, or when the caller disconnects. */
  async whileStarting(withinMs: number, leaving: AbortSignal): Promise<void> {
    if (this.#state !== 'starting' || leaving.aborted) return;
    const { promise, resolve } = withResolver();
    const timer = setTimeout(resolve, withinMs);
    leaving.addEventListener('abort', resolve);
    this.#waiting.add(resolve);
    await promise;
    this.#waiting.delete(resolve);
    clearTimeout(timer);
  }

  failure(): Failure {
    const why =
      this.state === 'stopping'
        ? 'The service is shutting down'
        : 'The service is starting or waiting for its database';
    return failure('SERVICE_UNAVAILABLE', `${why}. Retry in a moment.`, retry);
  }
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

export async function databaseIsReady(database: Database): Promise<boolean> {
  return (await appliedVersion(database.pool)) >= schemaVersion;
}
