import { type Failure, failure, retry } from '../../contract/errors.js';
import { usernameKey } from '../../contract/users.js';
import type { Executor } from '../../storage/database.js';
import { withParts } from '../../storage/directories/parents.js';
import { fewInactiveManagers } from '../../storage/indexing/inactive-managers.js';
import { readSearchedFields } from '../../storage/indexing/index-listing.js';
import { readBuildProgress, readFreshness } from '../../storage/indexing/index-state.js';
import { formerHoldersOf } from '../../storage/names/former-names.js';
import type { Matching } from '../../storage/users/matching-users.js';
import { type StrategyLimits, strategyLimits } from '../../storage/users/page-order.js';
import { isByManager, type RoleFilter, type UserFilters } from '../../storage/users/user-conditions.js';
import { noTexts, searchedTexts } from '../attributes/searched-texts.js';
import { searchDocument } from '../indexing/search-document.js';
import { likePattern, matchesSearch, parseSearch, type SearchQuery } from '../indexing/search-query.js';
import { namesProblem } from '../names/holders-then.js';
import { isSerial } from '../serial.js';
import { TimeSlice } from '../yield-to-event-loop.js';

export type { RoleFilter };

/** Which users an operation is about. Serials and usernames as sent; `search` as a person types it. */
export interface MatchFilters extends UserFilters {
  readonly search?: string;
  /** Whether organizations include those that are part of them. */
  readonly includeParts?: true;
  /** Users who have had one of these employee IDs and no longer do. */
  readonly formerEmployeeIDs?: readonly string[];
}

/** Whoever changes all matches of a search has to know them, so the words of as many users are computed. */
const freshChangedMax = 50_000;

type FreshStrategies = Pick<
  StrategyLimits,
  'freshListedMax' | 'freshSearchedMax' | 'freshNewestMax' | 'managersMax'
>;

export interface MatchOptions {
  /**
   * Whether the answer may miss users that are not indexed yet, if they are many. Otherwise everyone is read, and a search
   * fails if that takes too long.
   */
  readonly mayMiss: boolean;
  /** Searched for instead of the text of the filters. */
  readonly query?: SearchQuery;
  /** Whether users are sorted by an attribute. */
  readonly byAttribute?: boolean;
  readonly strategies?: FreshStrategies;
}

/** The indexed words may contain an attribute that is no longer searchable, and which not everyone may see. */
type Matched = Matching & { readonly words?: 'outdated' };

/** Runs in the snapshot in which the users are then read. */
export async function matchingUsers(
  tx: Executor,
  filters: MatchFilters,
  { mayMiss, query = queryOf(filters), byAttribute = false, strategies = strategyLimits }: MatchOptions,
): Promise<Matched | Failure> {
  if (query && findsNobody(query)) return nobody;
  const former = filters.formerEmployeeIDs && (await formerHolders(tx, filters.formerEmployeeIDs));
  if (former && 'error' in former) return former;
  const stored = {
    ...storedFilters(filters),
    ...(former && { serials: amongSerials(former, filters.serials) }),
    ...(await organizationsWithParts(tx, filters)),
  };
  const { freshListedMax, freshSearchedMax, freshNewestMax: newestMax } = strategies;
  const usesAttributes = byAttribute || filters.attributes !== undefined;
  if (!query && isByManager(stored)) {
    const managers = isByInactiveManager(stored) ? await inactiveManagers(tx, strategies) : undefined;
    return onUsersAlone(managers ? reportsOf(managers, stored) : stored);
  }
  if (!query) {
    const index = await readFreshness(tx, { allMax: freshListedMax, newestMax });
    const { isComplete, fresh } = index;
    const isBuilding = index.isBuilding || (usesAttributes && index.isBuildingAttributes);
    // While the index is being built, it lacks users of any age, so a list of them would be of little use.
    return isBuilding || !(isComplete || mayMiss)
      ? onUsersAlone(stored)
      : { filters: stored, search: undefined, fresh, isComplete };
  }
  const allMax = mayMiss ? freshSearchedMax : freshChangedMax;
  const { fresh, ...index } = await readFreshness(tx, { allMax, newestMax });
  const isComplete = index.isComplete && !index.isBuildingAttributes;
  if (!mayMiss && index.isBuilding) return beingBuilt(tx);
  if (!mayMiss && !isComplete) return catchingUp();
  const freshMatches = await matchesAmong(tx, fresh, query);
  const search = { patterns: query.words.map((alternatives) => alternatives.map(likePattern)), freshMatches };
  const words = index.isBuildingAttributes ? ({ words: 'outdated' } as const) : {};
  return { filters: stored, search, fresh, isComplete: isComplete && !index.isBuilding, ...words };
}

function queryOf({ search }: MatchFilters): SearchQuery | undefined {
  return search === undefined ? undefined : parseSearch(search);
}

/** Whether users are found by managers whom the indexer knows. */
export function isByInactiveManager({ managers, managerIsActive }: UserFilters): boolean {
  return managers === undefined && managerIsActive === false;
}

/** Undefined if there are so many that users are better compared with them one by one, or if the index doesn't know. */
async function inactiveManagers(
  tx: Executor,
  { freshListedMax: allMax, freshNewestMax: newestMax, managersMax }: FreshStrategies,
): Promise<string[] | undefined> {
  const { fresh, isComplete, isBuilding } = await readFreshness(tx, { allMax, newestMax });
  return isComplete && !isBuilding ? fewInactiveManagers(tx, fresh, managersMax) : undefined;
}

function reportsOf(serials: readonly string[], { managerIsActive: _, ...filters }: UserFilters): UserFilters {
  return { ...filters, managers: { serials, employeeIDs: [] } };
}

const onUsersAlone = (filters: UserFilters): Matching => ({
  filters,
  search: undefined,
  fresh: undefined,
  isComplete: true,
});

const nobody = onUsersAlone({ employeeIDs: [] });

/** Whether no user can match, such as a search for punctuation. */
function findsNobody({ words }: SearchQuery): boolean {
  return words.some((alternatives) => alternatives.length === 0);
}

async function matchesAmong(tx: Executor, fresh: readonly string[], query: SearchQuery): Promise<string[]> {
  if (fresh.length === 0) return [];
  const slice = new TimeSlice();
  const matches: string[] = [];
  const textsOf = await searchedTexts(tx);
  for (const user of await readSearchedFields(tx, fresh, textsOf !== noTexts)) {
    const document = searchDocument({ ...user, attributeTexts: textsOf(user.attributes) });
    if (matchesSearch(document, query)) matches.push(user.serial);
    if (slice.isOver) await slice.yield();
  }
  return matches;
}

async function formerHolders(tx: Executor, employeeIDs: readonly string[]): Promise<string[] | Failure> {
  const problem = await namesProblem(tx);
  if (problem) return problem;
  const former = await formerHoldersOf(tx, 'employeeID', employeeIDs);
  return [...new Set(former.map(({ userSerial }) => userSerial))];
}

function amongSerials(serials: readonly string[], wanted: readonly string[] | undefined): readonly string[] {
  if (!wanted) return serials;
  const accepted = new Set(wanted.map((serial) => serial.toLowerCase()));
  return serials.filter((serial) => accepted.has(serial));
}

async function organizationsWithParts(
  tx: Executor,
  { organizationSerials, includeParts }: MatchFilters,
): Promise<Pick<UserFilters, 'organizationSerials'>> {
  if (!organizationSerials || !includeParts) return {};
  return { organizationSerials: await withParts(tx, organizationSerials) };
}

/** Usernames in the form used for comparing them, and no texts that can't be serials. */
export function storedFilters({
  search: _,
  formerEmployeeIDs: __,
  includeParts: ___,
  serials,
  usernames,
  ...filters
}: MatchFilters): UserFilters {
  return {
    ...filters,
    ...(serials && { serials: serials.filter(isSerial) }),
    ...(usernames && { usernames: usernames.map(usernameKey) }),
  };
}

async function beingBuilt(tx: Executor): Promise<Failure> {
  const { done, total } = await readBuildProgress(tx);
  const progress = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} users`;
  return failure(
    'SERVICE_UNAVAILABLE',
    `The index is being built and contains ${progress}. Users cannot be selected by a search until it is complete.`,
    { retryAfterSeconds: secondsToIndex(total - done) },
  );
}

/** Roughly what the embedded database indexes; PostgreSQL is faster. */
const indexedPerSecond = 1_000;
const retryAfterSecondsMax = 10;

function secondsToIndex(users: number): number {
  return Math.min(Math.max(Math.ceil(users / indexedPerSecond), 1), retryAfterSecondsMax);
}

export function catchingUp(): Failure {
  return failure(
    'SERVICE_UNAVAILABLE',
    'The index is catching up with a large number of changes. Retry in a few seconds.',
    retry,
  );
}
