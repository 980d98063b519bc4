import { isDeepStrictEqual } from 'node:util';
import { type Failure, failure } from '../../contract/errors.js';
import type { Executor } from '../../storage/database.js';
import {
  erasePlannedChanges,
  lockAnswersMentioning,
  lockChunksMentioning,
  lockItemsMentioning,
  lockReports,
  noteMentions,
  replaceAnswer,
  replaceChunk,
  replacePlannedItems,
  replacePreviews,
  replaceReport,
  type StoredChunk,
  type StoredReport,
} from '../../storage/erasure/stored-outcomes.js';
import { mentionedTexts, mentionsOf } from '../bulk/mentions.js';
import { parseNameHistory, serializeNameHistory } from '../bulk/name-history.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import { type Parsed, sentence } from '../read-fields.js';
import { namesInItem } from '../users/user-rules.js';
import type { UserToErase } from './user-to-erase.js';

/** Whose traces are removed from stored outcomes. */
export interface UsersToForget {
  readonly serials: ReadonlySet<string>;
  /** In lower case, because usernames may be sent in any. */
  readonly names: ReadonlySet<string>;
}

export function usersToForget(users: readonly Pick<UserToErase, 'serial' | 'names'>[]): UsersToForget {
  return {
    serials: new Set(users.map(({ serial }) => serial)),
    names: new Set(users.flatMap(({ names }) => names.map((name) => name.toLowerCase()))),
  };
}

/**
 * Callers can read the outcomes of bulk calls, and get the same answer if they repeat a request with its idempotency key.
 * Outcomes keep whether an item succeeded, and for which serial, so that nothing is done twice. They no longer tell whom
 * it was about.
 */
export async function eraseOutcomes(tx: Executor, users: readonly UserToErase[]): Promise<void> {
  while (await noteMentions(tx));
  const known = usersToForget(users);
  await erasePlans(tx, known);
  const { forgotten, chunks, reports } = await findOutcomes(tx, users, known);
  const mentions = mentionsOfUsers(forgotten);
  for (const chunk of chunks) await replaceChunk(tx, chunkWithout(forgotten, chunk), mentions);
  for (const report of reports) {
    const without = reportWithout(forgotten, report);
    // Of a call that changed the user, the other parts need not be written again.
    if (!isDeepStrictEqual(without, report)) await replaceReport(tx, without, mentions);
  }
  for (const stored of await lockAnswersMentioning(tx, mentions)) {
    const answer = outcomeWithout(forgotten, stored.answer as ItemOutcome, undefined);
    if (answer !== stored.answer) await replaceAnswer(tx, { ...stored, answer }, mentions);
  }
}

function mentionsOfUsers({ serials, names }: UsersToForget): readonly string[] {
  return mentionsOf([...serials, ...names]) ?? [];
}

interface FoundOutcomes {
  readonly forgotten: UsersToForget;
  readonly chunks: readonly StoredChunk[];
  readonly reports: readonly StoredReport[];
}

/**
 * A user who was renamed twice within one transaction had a name that the change log doesn't know, but outcomes and other
 * items of the call do. So what is found may tell further names to look for.
 */
async function findOutcomes(
  tx: Executor,
  users: readonly UserToErase[],
  forgotten: UsersToForget,
): Promise<FoundOutcomes> {
  const mentions = mentionsOfUsers(forgotten);
  const chunks = await lockChunksMentioning(tx, mentions);
  const calls = new Set(users.flatMap(({ callIds }) => callIds));
  for (const { callId, serials } of chunks) {
    if (serials.some((serial) => serial !== null && forgotten.serials.has(serial))) calls.add(callId);
  }
  const reports = await lockReports(tx, mentions, [...calls]);
  const names = new Set([
    ...forgotten.names,
    ...chunks.flatMap((chunk) => namesInChunk(forgotten, chunk)),
    ...reports.flatMap((report) => namesInReport(forgotten, report)),
  ]);
  return names.size === forgotten.names.size
    ? { forgotten, chunks, reports }
    : findOutcomes(tx, users, { ...forgotten, names });
}

/** The names under which items selected these users. */
function namesInChunk(
  { serials: forgotten }: UsersToForget,
  { serials, employeeIDs }: StoredChunk,
): string[] {
  return serials.flatMap((serial, index) => {
    const employeeID = employeeIDs[index];
    return serial !== null && forgotten.has(serial) && employeeID ? [employeeID.toLowerCase()] : [];
  });
}

/** The names that items gave to these users. */
function namesInReport({ serials }: UsersToForget, { memory }: StoredReport): string[] {
  const { employeeIdTakes, usernameTakes, employeeIdReleases, usernameReleases } = parseNameHistory(memory);
  return [employeeIdTakes, usernameTakes, employeeIdReleases, usernameReleases].flatMap((takes) =>
    Array.from(takes).flatMap(([name, { serial }]) => (serials.has(serial) ? [name.toLowerCase()] : [])),
  );
}

function chunkWithout(users: UsersToForget, chunk: StoredChunk): StoredChunk {
  const { serials, employeeIDs, failures } = chunk;
  return {
    ...chunk,
    employeeIDs: employeeIDs.map((employeeID, index) =>
      isAbout(users, [serials[index], employeeID]) ? null : employeeID,
    ),
    failures: Object.fromEntries(
      Object.entries(failures).map(([position, stored]) => {
        const outcome = outcomeWithout(users, { ok: false, failure: stored as Failure }, Number(position));
        return [position, outcome.ok ? stored : outcome.failure];
      }),
    ),
  };
}

function reportWithout(users: UsersToForget, report: StoredReport): StoredReport {
  const outcomes = (report.outcomes as ItemOutcome[]).map((outcome, index) =>
    outcomeWithout(users, outcome, report.first + index),
  );
  return { ...report, outcomes, memory: nameHistoryWithout(users, report.memory) };
}

/** The same outcome if it tells nothing about these users. Keeps whether the item succeeded, and its error. */
export function outcomeWithout(
  users: UsersToForget,
  outcome: ItemOutcome,
  position: number | undefined,
): ItemOutcome {
  if (outcome.ok) {
    const { serial, effect } = outcome;
    if (!effect || serial === null || !users.serials.has(serial)) return outcome;
    return { ...outcome, effect: { kind: effect.kind, fields: {} } };
  }
  return isAbout(users, outcome.failure)
    ? { ok: false, failure: forgottenFailure(outcome.failure, position) }
    : outcome;
}

function forgottenFailure({ error }: Failure, position: number | undefined): Failure {
  const text = 'the details were erased together with a user.';
  // Stored failures may lack their data, whatever the error.
  return { error, detail: sentence(position, text), reason: sentence(undefined, text) } as Failure;
}

function isAbout({ serials, names }: UsersToForget, value: unknown): boolean {
  for (const text of mentionedTexts(value)) {
    if (names.has(text) || serials.has(text)) return true;
  }
  return false;
}

/** What earlier items of a call did to the names of others. */
export function nameHistoryWithout(users: UsersToForget, stored: unknown): unknown {
  const history = parseNameHistory(stored);
  const { uniqueNameTakes, renames, ...names } = history;
  const isForgotten = (name: string) => users.names.has(name.toLowerCase());
  for (const [name, { serial }] of uniqueNameTakes)
    if (users.serials.has(serial)) uniqueNameTakes.delete(name);
  for (const takes of Object.values(names)) {
    for (const [name, { serial }] of takes) {
      if (isForgotten(name) || users.serials.has(serial)) takes.delete(name);
    }
  }
  for (const [name, { to }] of renames) {
    if (isForgotten(name) || isForgotten(to)) renames.delete(name);
  }
  return serializeNameHistory(history);
}

/** A planned call does nothing with an erased user. What it does with others stays. */
async function erasePlans(tx: Executor, forgotten: UsersToForget): Promise<void> {
  const failed = { ok: false, failure: erased() };
  const mentions = mentionsOfUsers(forgotten);
  await erasePlannedChanges(tx, [...forgotten.serials], failed);
  const about: string[] = [];
  const previews: { id: string; preview: ItemOutcome }[] = [];
  for (const { id, position, employeeID, item, preview } of await lockItemsMentioning(tx, mentions)) {
    if (isAbout(forgotten, namesInItem(item as Parsed<unknown>, employeeID))) about.push(id);
    else {
      const without = outcomeWithout(forgotten, preview as ItemOutcome, position);
      if (without !== preview) previews.push({ id, preview: without });
    }
  }
  await replacePlannedItems(tx, about, failed);
  await replacePreviews(tx, previews, mentions);
}

function erased(): Failure {
  return failure('USER_ERASED', 'The user was erased before the call ran.', {
    erasedAt: new Date().toISOString(),
  });
}
