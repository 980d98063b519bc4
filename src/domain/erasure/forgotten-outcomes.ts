import type { Failure } from '../../contract/errors.js';
import { parseNameHistory, serializeNameHistory } from '../bulk/name-history.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import { sentence } from '../read-fields.js';
import type { Person } from './person.js';

/** Whose traces are removed from stored outcomes. */
export interface PeopleToForget {
  readonly serials: ReadonlySet<string>;
  /** In lower case, because usernames may be sent in any. */
  readonly names: ReadonlySet<string>;
}

export function peopleToForget(people: readonly Pick<Person, 'serial' | 'names'>[]): PeopleToForget {
  return {
    serials: new Set(people.map(({ serial }) => serial)),
    names: new Set(people.flatMap(({ names }) => names.map((name) => name.toLowerCase()))),
  };
}

/** The same outcome if it tells nothing about these people. Keeps whether the item succeeded, and its error. */
export function outcomeWithout(
  people: PeopleToForget,
  outcome: ItemOutcome,
  position: number | undefined,
): ItemOutcome {
  if (outcome.ok) {
    const { serial, effect } = outcome;
    if (!effect || serial === null || !people.serials.has(serial)) return outcome;
    return { ...outcome, effect: { kind: effect.kind, fields: {} } };
  }
  return isAbout(people, outcome.failure)
    ? { ok: false, failure: forgotten(outcome.failure, position) }
    : outcome;
}

function forgotten({ error }: Failure, position: number | undefined): Failure {
  const text = 'the details were erased together with a user.';
  // Stored failures may lack their data, whatever the error.
  return { error, detail: sentence(position, text), reason: sentence(undefined, text) } as Failure;
}

/** Messages quote the names that they mention; data contains them as they are. */
function isAbout(people: PeopleToForget, value: unknown): boolean {
  if (typeof value === 'string') {
    const quotes = Array.from(value.matchAll(/"([^"]*)"/g), ([, quote = '']) => quote);
    return [value, ...quotes].some((text) => people.names.has(text.toLowerCase()));
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((each) => isAbout(people, each));
}

/** What earlier items of a call did to the names of others. */
export function nameHistoryWithout(people: PeopleToForget, stored: unknown): unknown {
  const history = parseNameHistory(stored);
  const { employeeIdTakes, usernameTakes, employeeIdReleases, usernameReleases, renames } = history;
  const isForgotten = (name: string) => people.names.has(name.toLowerCase());
  for (const takes of [employeeIdTakes, usernameTakes, employeeIdReleases, usernameReleases]) {
    for (const [name, { serial }] of takes) {
      if (isForgotten(name) || people.serials.has(serial)) takes.delete(name);
    }
  }
  for (const [name, { to }] of renames) {
    if (isForgotten(name) || isForgotten(to)) renames.delete(name);
  }
  return serializeNameHistory(history);
}
