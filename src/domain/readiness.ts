import { type Failure, failure } from '../contract/errors.js';
import type { Database } from '../storage/database.js';
import { appliedVersion, schemaVersion } from '../storage/migrate.js';

/** Where the process is in its life. Only while it is ready do operations run. */
export class Readiness {
  state: 'starting' | 'ready' | 'stopping' = 'starting';

  failure(): Failure {
    const why =
      this.state === 'stopping'
        ? 'The service is stopping'
        : 'The service is starting, or waits for its database';
    return failure('SERVICE_UNAVAILABLE', `${why}; send the request again in a moment.`);
  }
}

export async function databaseIsReady(database: Database): Promise<boolean> {
  return (await appliedVersion(database.pool)) >= schemaVersion;
}
