import type { ItemResult } from './calls.js';
import type { Decision, KnownUser } from './decide.js';
import { IdIndex } from './id-index.js';
import type { SyncRow } from './rows.js';

/** The names that earlier rows would free. A dry run changes nothing, so it has to remember them. */
export class FreedNames {
  readonly #ids = new Set<string>();
  readonly #usernames = new IdIndex();

  hasId(employeeID: string): boolean {
    return this.#ids.has(employeeID);
  }

  /** Notes what a user gives up. Employee IDs matter only if another row of the file takes them. */
  note(decision: Decision, user: KnownUser | undefined, fileIds: IdIndex): void {
    if (decision.action !== 'send' || !decision.changed || !user) return;
    const { employeeID, username } = user;
    if (decision.changed.includes('employeeID') && fileIds.has(employeeID)) this.#ids.add(employeeID);
    if (username && decision.changed.includes('username')) this.#usernames.add(username.toLowerCase(), 1);
  }

  /** What the preview of a row says, if a name that an earlier row would free counts as free. */
  assume({ employeeID }: SyncRow, result: ItemResult | undefined): ItemResult | undefined {
    if (!result) return result;
    if (result.ok) return this.#ids.has(employeeID) ? freed : result; // it is about who has the ID now
    const { taken } = result;
    if (taken === undefined) return result;
    return this.#ids.has(taken) || this.#usernames.has(taken.toLowerCase()) ? freed : result;
  }
}

const freed: ItemResult = { ok: true, serial: null };
