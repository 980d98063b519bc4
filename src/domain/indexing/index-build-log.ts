import type { Logger } from 'pino';
import type { Database } from '../../storage/database.js';
import { firstSerial, type IndexState, readBuildProgress } from '../../storage/indexing/index-state.js';

/** Logs when the index is built. Only the node that starts a build, or resumes it after a restart, logs it. */
export class BuildLog {
  readonly #database: Database;
  readonly #logger: Logger;
  #isFirstLook = true;
  #startedMs: number | undefined;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Called with the state before each batch of this node. */
  async note({ builtTo }: IndexState): Promise<void> {
    const isFirstLook = this.#isFirstLook;
    this.#isFirstLook = false;
    if (this.#startedMs !== undefined) {
      if (builtTo === undefined) await this.#ended(this.#startedMs);
    } else if (builtTo === firstSerial || (isFirstLook && builtTo !== undefined)) {
      await this.#started();
    }
  }

  async #started(): Promise<void> {
    this.#startedMs = performance.now();
    const { total: users } = await readBuildProgress(this.#database.pool);
    this.#logger.info({ users }, 'building the index of lists and searches');
  }

  async #ended(startedMs: number): Promise<void> {
    this.#startedMs = undefined;
    const { done: users } = await readBuildProgress(this.#database.pool);
    const seconds = Math.ceil((performance.now() - startedMs) / 1_000);
    this.#logger.info({ users, seconds }, 'the index of lists and searches is complete');
  }
}
