import {
  createSyncRowReader,
  type FileRow,
  IdIndex,
  isMentioned,
  type MeaningOf,
  presenceOf,
  type Row,
  readEffectiveDate,
  rowsText,
  runSync,
  type Survey,
  type SyncRun,
  type SyncTarget,
  Tally,
} from '#sheets';
import type { FeedSettings } from '../../contract/feeds.js';
import type { Scope } from '../../contract/scopes.js';
import { type Database, transaction } from '../../storage/database.js';
import { violatedConstraint } from '../../storage/errors.js';
import { deleteFeedRows, failedPlaces } from '../../storage/feeds/feed-rows.js';
import {
  claimFeedRun,
  type FeedRun,
  fileSeenBefore,
  listAppliedRuns,
  type RunProgress,
  type StoredCounts,
} from '../../storage/feeds/feed-runs.js';
import { countActiveInScope, listActiveInScope, listRoleHolders } from '../../storage/feeds/feed-users.js';
import { getFeed, getFeedVersion, type StoredFeed } from '../../storage/feeds/feeds.js';
import { loadAttributes } from '../attributes/attribute-facts.js';
import type { Caller } from '../caller.js';
import { isOutage } from '../outage.js';
import { FeedFailed, RunEnded } from './feed-failed.js';
import { type FeedScope, readScope } from './feed-scope.js';
import { recipeOf } from './feed-settings.js';
import { type FeedTable, meaningsIn, openFeedTable, surveyTable } from './feed-table.js';
import { type FeedTargetRun, feedTarget, measuringTarget, previewTarget } from './feed-target.js';
import { type FetchContext, fetchFile } from './fetch-file.js';
import { mentionsIn } from './file-mentions.js';
import { type InformContext, informOf, supersedeWaiting } from './inform.js';
import type { ExplicitLimits } from './limits/explicit-limits.js';
import { findingText } from './limits/finding-text.js';
import { growthOf, growthText } from './limits/growth.js';
import { judge, limitsOf } from './limits/judge.js';
import type { RunProfile } from './limits/run-profile.js';
import { RunMeasure } from './measure-run.js';
import {
  countWithdrawals,
  type LaterRows,
  type PlannedRowsContext,
  planLater,
  setAside,
} from './planned-rows.js';
import { RunJournal } from './run-journal.js';
import { RunSession } from './run-session.js';
import { undoRun } from './undo-run.js';

export interface FeedRunContext extends PlannedRowsContext, FetchContext, InformContext {
  readonly database: Database;
  readonly strictDirectories: boolean;
}

/**
 * A file can end every node that reads it, for example by what it takes in memory. So a run ends after three claims without
 * progress whose nodes were not heard of again. Outages that a node survives are no fault of the file: before a run writes,
 * it ends with the tenth claim, and once it writes, it goes on however often it is claimed, because its file would be left
 * half applied.
 */
const crashesMax = 3;
const claimsMax = 10;

/** Goes on with the next run that is due, if any. Only one node does, and any other can take over. */
export async function runNextFeed(context: FeedRunContext, stopping: AbortSignal): Promise<boolean> {
  const { database, limits } = context;
  const run = await transaction(database, (tx) => claimFeedRun(tx, limits.feedLeaseMs)).catch(lostRace);
  if (!run) return false;
  const session = new RunSession(context, run, stopping);
  try {
    if (run.state !== 'undoing') endIfHopeless(run);
    await advance(context, session);
  } catch (error) {
    await endEarly(context, session, error);
  } finally {
    session.close();
  }
  return true;
}

function endIfHopeless({ crashes, phase, claim }: FeedRun): void {
  if (crashes > crashesMax) {
    throw new FeedFailed(
      'TRIED_TOO_OFTEN',
      `${crashesMax} nodes ended while they worked on the run. The file may need more memory than they have.`,
      { crashes: crashesMax },
    );
  }
  if (phase !== 'apply' && claim > claimsMax) {
    throw new FeedFailed(
      'TRIED_TOO_OFTEN',
      'The run met too many outages, for example of the database or of its disk. Run the feed again.',
    );
  }
}

/** Two nodes that claim two runs of a feed at the same moment: only one of them gets the feed. */
function lostRace(error: unknown): undefined {
  if (violatedConstraint(error) !== 'feed_runs__running') throw error;
}

async function endEarly(context: FeedRunContext, session: RunSession, error: unknown): Promise<void> {
  if (error instanceof RunEnded && error.why === 'lost') return;
  if (error instanceof RunEnded && error.why === 'cancelled') {
    await end(context, session, { state: 'cancelled' });
    return;
  }
  if (error instanceof FeedFailed) {
    await end(context, session, { state: 'failed', problem: error.problem });
    return;
  }
  // Too long a text or too many entries for the runtime: the same file fails in the same way again.
  if (error instanceof RangeError && session.run.state !== 'undoing') {
    const problem = new FeedFailed('FILE_UNREADABLE', 'The file is too complex to be read.').problem;
    await end(context, session, { state: 'failed', problem });
    return;
  }
  // Whatever it was, another node or a later attempt may succeed.
  if (error instanceof RunEnded) return session.release();
  if (isOutage(error)) await session.noteOutage();
  throw error;
}

/** Ends or suspends a run, and informs people within the same transaction. */
async function end(context: FeedRunContext, session: RunSession, progress: RunProgress): Promise<void> {
  const failed = await failedPlaces(context.database.pool, session.run.id, failedPlacesMax);
  await session.write(progress, (tx) => informOf(context, tx, { ...session.run, ...progress }, failed));
}

const failedPlacesMax = 10;

async function advance(context: FeedRunContext, session: RunSession): Promise<void> {
  const { run } = session;
  session.checkpoint();
  if (run.state === 'undoing') return undoRun(context, session);
  const feed = await feedOf(context.database, run);
  if (run.phase === 'fetch') {
    const fetched = await fetchFile(context, session, feed);
    if (fetched === 'later') return;
    if (fetched !== 'fetched') return end(context, session, fetched);
  }
  const work = await prepare(context, session, feed);
  if (run.phase === 'apply') return resume(context, work);
  return plan(context, work);
}

/** With the settings that were current when the run began. */
async function feedOf({ pool }: Database, run: FeedRun): Promise<StoredFeed> {
  const feed = await getFeed(pool, run.feed);
  const settings = await getFeedVersion(pool, run.feed, run.version);
  if (!feed || !settings) throw new RunEnded('lost'); // it was deleted, and the run with it
  return { ...feed, settings };
}

/** A run with everything that its passes through the file have in common. */
interface Work {
  readonly session: RunSession;
  readonly feed: StoredFeed;
  readonly settings: FeedSettings;
  readonly target: FeedTargetRun;
  readonly survey: Survey;
  readonly sources: FeedTable['sources'];
  readonly roleHolders: ReadonlySet<string>;
  /** Fields whose names only some may see. */
  readonly sensitive: ReadonlySet<string>;
  /** A run is measured with the rows of later days, because nobody asks about them again. */
  open(includesLater: boolean): Promise<OpenedRows>;
}

interface OpenedRows extends LaterRows {
  read(row: Row): FileRow;
}

async function prepare(context: FeedRunContext, session: RunSession, feed: StoredFeed): Promise<Work> {
  const { database } = context;
  const { run } = session;
  const { settings } = feed;
  const { mapping, rules } = settings;
  const recipe = recipeOf(mapping);
  const definitions = await loadAttributes(database.pool);
  const attributes = definitions.all.filter(({ isSensitive }) => feed.writesSensitive || !isSensitive);
  const scope = usableScope(readScope(rules, definitions, feed.writesSensitive));
  const fileOf = run.replays ?? run.id;
  const open = () => openFeedTable(database, fileOf, recipe, attributes);
  const first = await open();
  const survey = await surveyTable(first, () => session.checkpoint());
  await session.write({ rows: survey.rows, mentions: run.replays ? null : mentionsIn(survey) });
  const meaningOf: MeaningOf = await meaningsIn(
    database,
    survey,
    rules.unknownNames ?? 'stop',
    context.strictDirectories,
  );
  const isComplete = rules.deactivateMissing === true;
  const { empty = 'leaves' } = mapping;
  const options = { empty, isComplete, meaningOf, attributes };
  return {
    ...{ session, feed, settings, survey, sources: first.sources },
    target: {
      feed: feed.key,
      caller: callerFor(feed, run),
      ...{ rules, scope },
      label: { source: run.fileName ?? feed.key, note: feed.name },
    },
    roleHolders: await listRoleHolders(database.pool),
    sensitive: sensitiveFields(definitions.all),
    open: async (includesLater) => {
      const table = await open();
      const later = setAside(table, { timeZone: context.timeZone, yieldsLater: includesLater });
      const read = createSyncRowReader(table.headings, table.columns, options);
      return { ...later, read: (row) => withEffectiveDate(read(row), row, table) };
    },
  };
}

/** An attribute may have been deleted or changed since the feed was stored. */
function usableScope(scope: FeedScope | string): FeedScope {
  if (typeof scope !== 'string') return scope;
  throw new FeedFailed('SCOPE_OUTDATED', `The scope of the feed cannot be used. It ${scope}`);
}

function sensitiveFields(all: readonly { readonly key: string; readonly isSensitive: boolean }[]) {
  return new Set(all.flatMap(({ key, isSensitive }) => (isSensitive ? [`attributes.${key}`] : [])));
}

/** A row whose day cannot be read must not take effect at once. */
function withEffectiveDate(read: FileRow, row: Row, { effectiveDate, headings }: FeedTable): FileRow {
  if (effectiveDate === undefined || read.problem) return read;
  const { problem } = readEffectiveDate(row, effectiveDate, headings);
  return problem ? { row: read.row, employeeID: read.employeeID, problem } : read;
}

/** A feed can do what its settings need, and never what only administrators can. */
function callerFor({ key, writesSensitive }: StoredFeed, { id: requestId }: FeedRun): Caller {
  const scopes = new Set<Scope>(['users:read', 'users:write']);
  if (writesSensitive) scopes.add('attributes:sensitive');
  return { actor: { kind: 'feed', id: key, scopes }, requestId, address: '' };
}

/** Looks at everything that the run would do. Then it ends, waits for a person, or goes on. */
async function plan(context: FeedRunContext, work: Work): Promise<void> {
  const { session, settings, target } = work;
  const { run } = session;
  const { pool } = context.database;
  await session.write({ phase: 'plan', counts: noCounts, done: 0 }, (tx) => deleteFeedRows(tx, run.id));
  const missing = await findMissing(context, work);
  const measure = new RunMeasure(pool, run.feed, work.sensitive);
  const measuring = measuringTarget(context, target, (items, isForNew) => measure.items(items, isForNew));
  const measured = await pass(context, work, measuring, missing.ids, {
    isPreview: true,
    done: (outcomes) => measure.outcomes(outcomes),
  });
  const seen = run.fileHash === null ? undefined : await fileSeenBefore(pool, run, run.fileHash);
  const withdrawals = await countWithdrawals(context, run.feed, measured);
  const profile = measure.profile({
    ...{ rows: work.survey.rows, users: missing.users, columns: work.sources, ...withdrawals },
    fileSeenBefore: seen ? { at: seen.at.toISOString() } : null,
  });
  const { findings, limits } = await judged(context, work, profile);
  const progress = {
    profile: { ...profile, limits },
    findings: findings.map((finding) => ({ ...finding, text: findingText(finding) })),
  };
  if (run.isDryRun) {
    await preview(context, work, missing.ids);
    return end(context, session, { ...progress, state: 'done' });
  }
  const changed =
    run.approvedAt === null ? undefined : changedSinceApproval(run.profile as RunProfile, profile);
  const { approval = 'beyondLimits' } = settings.rules;
  const needsApproval = run.approvedAt === null && (approval === 'always' || findings.length > 0);
  const isEmpty = measure.changes === 0 && profile.withdrawn === 0;
  if (changed || (needsApproval && !isEmpty) || (findings.length > 0 && run.approvedAt === null)) {
    await preview(context, work, missing.ids);
    const state = approval === 'never' ? 'stopped' : 'waiting';
    const why = changed ? [...progress.findings, changed] : progress.findings;
    return end(context, session, { ...progress, findings: why, state });
  }
  // Nothing to write and nobody to take: the same rows need not be read once more.
  if (
    isEmpty &&
    measure.taken === 0 &&
    measure.failed === 0 &&
    measure.skipped === 0 &&
    !work.settings.mapping.columns?.some(isDated)
  ) {
    const counts = { ...noCounts, kinds: { unchanged: measure.unchanged } };
    return end(context, session, { ...progress, counts, done: work.survey.rows, state: 'done' });
  }
  await session.write({ ...progress, phase: 'apply' }, (tx) => supersedeWaiting(tx, run));
  const isSettled = (row: number) => measure.isSettled(row);
  return apply(context, work, { missing: missing.ids, profile, resumed: undefined, isSettled });
}

const noCounts = { kinds: {}, changed: {}, emptied: {} };

function isDated({ field }: { readonly field?: string }): boolean {
  return field === 'effectiveDate';
}

async function judged(context: FeedRunContext, { session, settings }: Work, profile: RunProfile) {
  const { learn = true, ...explicit } = settings.limits;
  const history = await listAppliedRuns(context.database.pool, session.run.feed, evidenceRuns);
  const runs = history.toReversed().map(({ at, profile, wasApproved }) => ({
    ...{ at: at.toISOString(), wasApproved },
    profile: profile as RunProfile, // as this file has stored it
  }));
  const options = { at: session.run.createdAt, learn };
  return {
    findings: judge(profile, runs, explicit as ExplicitLimits, options),
    limits: limitsOf(profile, runs, explicit as ExplicitLimits, options),
  };
}

const evidenceRuns = 120;

/** Whoever approved a run did not approve much more than what it showed. */
function changedSinceApproval(approved: RunProfile, now: RunProfile) {
  const growth = growthOf(approved, now);
  if (growth.length === 0) return undefined;
  return {
    code: 'CHANGED_SINCE_APPROVAL',
    text: `Since it was approved, users have changed: ${growth.map(growthText).join(', ')}.`,
    growth,
  };
}

/** The outcome of each row, as it would be, for people to decide. */
async function preview(context: FeedRunContext, work: Work, missing: IdIndex | undefined): Promise<void> {
  const journal = new RunJournal(work.session, context.database.pool, {
    ...{ takesOver: false, isPreview: true, sensitive: work.sensitive },
  });
  await pass(context, work, previewTarget(context, work.target), missing, {
    isPreview: true,
    done: (outcomes, chunk, retries) => journal.done(chunk, outcomes, retries),
  });
}

/** Goes on where an interrupted node has stopped. */
async function resume(context: FeedRunContext, work: Work): Promise<void> {
  const { session, survey } = work;
  const missing = (await findMissing(context, work)).ids;
  const resumed = await journalOf(context, work).resumeState((row) => survey.renames.awaited.has(row));
  const profile = session.run.profile as RunProfile; // as this file has stored it
  return apply(context, work, { missing, profile, resumed });
}

function journalOf({ database }: FeedRunContext, { session, settings, sensitive }: Work): RunJournal {
  const takesOver = settings.rules.onConflict === 'take';
  return new RunJournal(session, database.pool, { takesOver, isPreview: false, sensitive });
}

interface ToApply extends Pick<SyncRun, 'resumed' | 'isSettled'> {
  readonly missing: IdIndex | undefined;
  readonly profile: RunProfile;
}

async function apply(
  context: FeedRunContext,
  work: Work,
  { missing, profile, resumed, isSettled }: ToApply,
): Promise<void> {
  const { session, survey } = work;
  const journal = journalOf(context, work);
  const target = feedTarget(context, work.target, (items) => journal.wrote(items));
  const later = await pass(context, work, target, missing, {
    ...{ isPreview: false, journal, resumed, isSettled },
    done: async (outcomes, chunk, retries) => {
      await journal.done(chunk, outcomes, retries);
      stopIfBeyond(profile, journal.counts);
    },
  });
  if (!resumed?.chunks.has(laterChunk)) {
    const planned = await planLater(context, { ...work, read: later.read }, later);
    if (planned.length > 0) await journal.done(laterChunk, planned, []);
  }
  await end(context, session, {
    state: 'done',
    counts: journal.counts,
    done: survey.rows,
  });
}

/** All rows that take effect later are planned together. */
const laterChunk = 'later';

/** Users may change while a run writes, but not so that it does much more than what was checked. */
function stopIfBeyond(profile: RunProfile, { kinds, changed, emptied }: StoredCounts): void {
  // Only the service can tell whether some rows fail, for example because of a username that another user has. That many
  // do is no surprise, unless it is half of the file.
  const checked = { ...profile, failed: profile.failed + Math.floor(profile.rows / 2) };
  const [first] = growthOf(checked, { ...nothing, ...kinds, changed, emptied, withdrawn: 0 });
  if (!first) return;
  throw new FeedFailed(
    'MORE_THAN_PLANNED',
    `The run stopped because it did more than what was checked: ${growthText(first)}. Users have changed meanwhile. Run the feed again.`,
    { growth: first },
  );
}

const nothing = {
  ...{ created: 0, rehired: 0, updated: 0, renamed: 0, deactivated: 0, reactivated: 0, failed: 0 },
};

interface PassOptions extends Partial<Pick<SyncRun, 'resumed' | 'isSettled'>> {
  readonly isPreview: boolean;
  readonly journal?: RunJournal;
  done(
    outcomes: Parameters<SyncRun['journal']['done']>[1],
    chunk: string,
    retries: readonly number[],
  ): Promise<void>;
}

/** Goes through the rows once. Returns those that take effect later. */
async function pass(
  { limits }: FeedRunContext,
  { session, survey, settings, roleHolders, open }: Work,
  target: SyncTarget,
  missing: IdIndex | undefined,
  { isPreview, journal, resumed, isSettled, done }: PassOptions,
): Promise<OpenedRows> {
  const opened = await open(isPreview);
  const run: SyncRun = {
    ...{ survey, target, resumed, isSettled, tally: new Tally() },
    journal: {
      intend: (chunk, intents) => journal?.intend(chunk, intents),
      done: (chunk, outcomes, retries) => done(outcomes, chunk, retries),
    },
    missing: missing && { ids: missing, target },
    rowsPerChunk: limits.feedChunkRows,
    rehire: settings.rules.rehire === true,
    isProtected: ({ serial }) => roleHolders.has(serial),
    dryRun: isPreview,
    canRetry: !isPreview,
    checkpoint: () => session.checkpoint(),
    onProgress: () => {},
  };
  await runSync(run, opened.rows, opened.read);
  return opened;
}

const usersPerPage = 5_000;

/** Active users in the scope of the feed, and those of them who are missing from the file and have to go. */
async function findMissing(
  { database }: FeedRunContext,
  { session, feed, settings, target, survey, roleHolders }: Work,
): Promise<{ readonly users: number; readonly ids: IdIndex | undefined }> {
  const { deactivateMissing = false } = settings.rules;
  const { scope } = target;
  if (deactivateMissing && survey.unreadable.count > 0) throw unreadableIds(survey);
  session.checkpoint();
  if (!deactivateMissing) {
    return { users: await countActiveInScope(database.pool, scope), ids: undefined };
  }
  const ids = new IdIndex();
  let users = 0;
  for (let after: string | undefined; ; ) {
    session.checkpoint();
    const page = await listActiveInScope(database.pool, scope, { after, limit: usersPerPage });
    users += page.length;
    for (const user of page) {
      const presence = presenceOf(user, {
        includesRoles: false,
        hasRole: ({ serial }) => roleHolders.has(serial),
        isPresent: ({ employeeID, feed: other }) =>
          isMentioned(survey, employeeID) || (other !== null && other !== feed.key),
      });
      if (presence === 'missing') ids.add(user.employeeID, 1);
    }
    if (page.length < usersPerPage) return { users, ids };
    after = page.at(-1)?.serial;
  }
}

function unreadableIds({ unreadable: { rows, count } }: Survey): FeedFailed {
  return new FeedFailed(
    'IDS_UNREADABLE',
    `${rowsText(rows, count)} ${count === 1 ? 'has' : 'have'} no readable employee ID, so that nobody can tell who is missing.`,
    { rows, count },
  );
}
