import { type Failure, failure } from '../../contract/errors.js';
import type { FeedSettings } from '../../contract/feeds.js';
import { feedLimits } from '../../contract/limits.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { type FeedRun, listOpenRuns, listRecentRuns } from '../../storage/feeds/feed-runs.js';
import { countFeedUsers } from '../../storage/feeds/feed-users.js';
import {
  countFeeds,
  type FeedVersion,
  lockFeed,
  getFeed as readFeed,
  listFeeds as readFeeds,
  listFeedVersions as readVersions,
  deleteFeed as removeFeed,
  type StoredFeed,
  storeFeed,
} from '../../storage/feeds/feeds.js';
import { loadAttributes } from '../attributes/attribute-facts.js';
import { recordAccess } from '../audit/access-event.js';
import { type Actor, type Caller, maySeeSensitive, scopeProblem } from '../caller.js';
import { type Page, type PageRequest, pageByKey } from '../cursor.js';
import type { Result } from '../result.js';
import { type SecretCipher, type SecretContext, SecretKeyMissing } from '../secrets/secret-cipher.js';
import {
  type FeedSecrets,
  type SettingsRules,
  settingsProblem,
  sourceOf,
  usesSensitive,
} from './feed-settings.js';
import { withdrawPlans } from './planned-rows.js';
import { nextDue } from './schedule.js';
import { lacksHidden, type ShownSettings, shownSettings } from './shown-settings.js';

export interface FeedContext extends SecretContext, SettingsRules {}

/** What an administrator sends. Null restores the default, or removes a secret. */
export type FeedChange = {
  readonly [Name in keyof FeedSettings]?: FeedSettings[Name] | null;
} & {
  readonly name?: string;
  readonly isPaused?: boolean | null;
} & { readonly [Name in keyof FeedSecrets]?: string | null };

export type NewFeed = FeedChange & { readonly key: string; readonly name: string } & Pick<
    FeedSettings,
    'source' | 'mapping'
  >;

/** A feed with what its page shows first. */
export interface ShownFeed extends ShownSettings {
  readonly feed: StoredFeed;
  readonly secrets: Pick<FeedSecrets, 'secret' | 'chatUrl'> | null;
  readonly openRun: FeedRun | undefined;
  /** Those that ended, newest first. */
  readonly recentRuns: readonly FeedRun[];
  readonly users: number;
}

/** Whoever sees a feed. */
type Viewer = Pick<Actor, 'scopes'> | undefined;

const noSecrets: FeedSecrets = { secret: null, passphrase: null, chatUrl: null };
const defaults = { schedule: null, rules: {}, limits: {}, inform: {} } as const;
const recentRunsMax = 30;

export function createFeed(
  context: FeedContext,
  { key, ...given }: NewFeed,
  caller: Caller,
): Promise<Result<{ feed: ShownFeed }>> {
  return transaction(context.database, async (tx): Promise<Result<{ feed: ShownFeed }>> => {
    if ((await countFeeds(tx)) >= feedLimits.feedsMax) return { ok: false, failure: tooMany() };
    const { source, mapping } = given;
    const settings = { ...defaults, ...settingsIn(given), source, mapping };
    const draft = { key, name: given.name, version: 1, isPaused: given.isPaused ?? false, settings };
    const stored = await store(context, tx, draft, { ...noSecrets, ...secretsIn(given) }, caller, true);
    if (!stored.ok) return stored;
    await recordAccess(tx, 'feed.created', caller, { detail: { feed: key, source: source.type } });
    return found(context, tx, key, caller.actor);
  });
}

export function updateFeed(
  context: FeedContext,
  key: string,
  change: FeedChange,
  caller: Caller,
): Promise<Result<{ feed: ShownFeed }>> {
  return transaction(context.database, async (tx): Promise<Result<{ feed: ShownFeed }>> => {
    const before = await lockFeed(tx, key);
    if (!before) return feedNotFound();
    const settings = { ...before.settings, ...settingsIn(change) };
    const known = openSecrets(context.cipher, before);
    if (before.secret && !known) throw new SecretKeyMissing(before.secret.keyId);
    // A secret belongs to where it was meant for: nobody gets it sent somewhere else.
    const isElsewhere =
      originOf(settings) !== originOf(before.settings) || isOtherServer(settings, before.settings);
    if (isElsewhere && known?.secret != null && change.secret === undefined && needsSecret(settings)) {
      return { ok: false, failure: secretNeeded() };
    }
    const kept = isElsewhere ? { ...noSecrets, chatUrl: known?.chatUrl ?? null } : (known ?? noSecrets);
    const isChanged = JSON.stringify(settings) !== JSON.stringify(before.settings);
    const draft = {
      ...{ key, settings },
      name: change.name ?? before.name,
      version: before.version + Number(isChanged),
      isPaused: change.isPaused ?? before.isPaused,
    };
    const stored = await store(context, tx, draft, { ...kept, ...secretsIn(change) }, caller, false);
    if (!stored.ok) return stored;
    await recordAccess(tx, 'feed.changed', caller, {
      detail: { feed: key, version: draft.version, settings: Object.keys(change).sort() },
    });
    return found(context, tx, key, caller.actor);
  });
}

export async function deleteFeed(database: Database, key: string, caller: Caller): Promise<Result<object>> {
  const busyBefore = await runUnderWay(database.pool, key);
  if (busyBefore) return { ok: false, failure: busy(busyBefore) };
  await withdrawPlans(database, key, caller);
  return transaction(database, async (tx): Promise<Result<object>> => {
    if (!(await lockFeed(tx, key))) return feedNotFound();
    const open = await runUnderWay(tx, key);
    if (open) return { ok: false, failure: busy(open) };
    await removeFeed(tx, key);
    await recordAccess(tx, 'feed.deleted', caller, { detail: { feed: key } });
    return { ok: true };
  });
}

async function runUnderWay(executor: Executor, key: string): Promise<FeedRun | undefined> {
  return (await listOpenRuns(executor)).find(({ feed, state }) => feed === key && state !== 'waiting');
}

export async function getFeed(
  context: FeedContext,
  key: string,
  actor: Viewer,
): Promise<Result<{ feed: ShownFeed }>> {
  return found(context, context.database.pool, key, actor);
}

export async function listFeeds(context: FeedContext, actor: Viewer): Promise<readonly ShownFeed[]> {
  const { pool } = context.database;
  return shown(context, pool, await readFeeds(pool), actor);
}

export async function listFeedVersions(
  { pool }: Database,
  key: string,
  page: PageRequest,
  actor: Viewer,
): Promise<Page<FeedVersion & ShownSettings>> {
  if (!(await readFeed(pool, key))) return feedNotFound();
  const list = {
    ...{ name: 'feed versions', filters: { key } },
    isKey: (text: string) => /^\d{1,9}$/.test(text),
    keyOf: ({ version }: FeedVersion) => String(version),
  };
  const { all } = await loadAttributes(pool);
  return pageByKey(page, list, async (after, limit) => {
    const before = after === undefined ? undefined : Number(after);
    const versions = await readVersions(pool, key, { before, limit });
    return versions.map((version) => ({ ...version, ...shownSettings(version.settings, actor, all) }));
  });
}

/** Undefined if there are none, or if this node has lost their key. */
export function openSecrets(cipher: SecretCipher, { key, secret }: StoredFeed): FeedSecrets | undefined {
  if (!secret || !cipher.canDecrypt(secret.keyId)) return undefined;
  return JSON.parse(cipher.decrypt(secret.bytes, purposeOf(key))) as FeedSecrets;
}

export function feedNotFound(): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: failure('FEED_NOT_FOUND', 'No feed has this key.') };
}

export function busy({ id, state }: Pick<FeedRun, 'id' | 'state'>): Failure {
  const hint = state === 'waiting' ? 'Approve or cancel it first.' : 'Wait until it has ended, or cancel it.';
  return failure('FEED_BUSY', `A run of the feed is ${state}. ${hint}`, { runId: id });
}

type Draft = Pick<StoredFeed, 'key' | 'name' | 'version' | 'isPaused' | 'settings'>;

async function store(
  context: FeedContext,
  tx: Executor,
  draft: Draft,
  secrets: FeedSecrets,
  caller: Caller,
  isNew: boolean,
): Promise<Result<object>> {
  const incomplete = lacksHidden(draft.settings);
  if (incomplete) return { ok: false, failure: incompleteSetting(incomplete) };
  const attributes = await loadAttributes(tx);
  const problem = settingsProblem(context, draft.settings, secrets, attributes);
  if (problem) return { ok: false, failure: problem };
  const writesSensitive = usesSensitive(draft.settings, attributes.all);
  const denied = writesSensitive && scopeProblem(caller.actor, 'attributes:sensitive');
  if (denied) return { ok: false, failure: denied };
  const hasSecrets = Object.values(secrets).some((secret) => secret !== null);
  const sealed = context.cipher.encrypt(JSON.stringify(secrets), purposeOf(draft.key));
  const due = nextDue(draft.settings.schedule, new Date(), context.timeZone);
  const feed = {
    ...draft,
    ...due,
    writesSensitive: writesSensitive && maySeeSensitive(caller.actor),
    secret: hasSecrets ? sealed : null,
  };
  const { kind, id } = caller.actor;
  const isStored = await storeFeed(tx, feed, { isNew, actor: { kind, id } });
  return isStored ? { ok: true } : { ok: false, failure: keyExists(draft.key) };
}

async function found(
  context: FeedContext,
  executor: Executor,
  key: string,
  actor: Viewer,
): Promise<Result<{ feed: ShownFeed }>> {
  const stored = await readFeed(executor, key);
  const [feed] = stored ? await shown(context, executor, [stored], actor) : [];
  return feed ? { ok: true, feed } : feedNotFound();
}

async function shown(
  { cipher }: FeedContext,
  executor: Executor,
  feeds: readonly StoredFeed[],
  actor: Viewer,
): Promise<ShownFeed[]> {
  const { all } = await loadAttributes(executor);
  const open = await listOpenRuns(executor);
  const recent = await listRecentRuns(executor, recentRunsMax);
  const users = await countFeedUsers(executor);
  return feeds.map((feed) => ({
    feed,
    ...shownSettings(feed.settings, actor, all),
    secrets: openSecrets(cipher, feed) ?? null,
    openRun: open.find((run) => run.feed === feed.key),
    recentRuns: recent.filter((run) => run.feed === feed.key),
    users: users.get(feed.key) ?? 0,
  }));
}

function settingsIn(change: FeedChange): Partial<FeedSettings> {
  const names = ['source', 'mapping', 'schedule', 'rules', 'limits', 'inform'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = change[name];
      if (value === undefined) return [];
      return [[name, value ?? (name in defaults ? defaults[name as keyof typeof defaults] : value)]];
    }),
  );
}

function secretsIn({ secret, passphrase, chatUrl }: FeedChange): Partial<FeedSecrets> {
  return {
    ...(secret !== undefined && { secret }),
    ...(passphrase !== undefined && { passphrase }),
    ...(chatUrl !== undefined && { chatUrl }),
  };
}

/** Where the secret of a source is sent. */
function originOf({ source }: FeedSettings): string {
  const { type, url, endpoint, host, port, username, accessKeyId, auth } = sourceOf(source) as Record<
    string,
    unknown
  >;
  const origin = typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : null;
  return JSON.stringify([type, origin, endpoint, host, port, username, accessKeyId, auth]);
}

/** The first host key of a source confirms the server that was meant; any other could be that of another one. */
function isOtherServer({ source }: FeedSettings, { source: before }: FeedSettings): boolean {
  const [after, known] = [sourceOf(source), sourceOf(before)];
  if (after.type !== 'sftp' || known.type !== 'sftp') return false;
  return known.hostKey !== null && after.hostKey !== known.hostKey;
}

function needsSecret({ source }: FeedSettings): boolean {
  const { type, auth } = sourceOf(source) as { readonly type: string; readonly auth?: string };
  return type === 'https' ? auth !== 'none' : type === 'sftp' || type === 's3';
}

function incompleteSetting(field: string): Failure {
  const problem = 'contains "…", which stands for what was hidden. Send the complete setting.';
  return failure('REQUEST_BODY_INVALID', `"${field}" ${problem}`, { field });
}

function secretNeeded(): Failure {
  return failure(
    'REQUEST_BODY_INVALID',
    '"secret" is needed again, because the source is now on another server, has another host key or signs in differently. Null removes the stored one.',
    { field: 'secret' },
  );
}

function purposeOf(key: string): string {
  return `feed ${key}`;
}

function keyExists(key: string): Failure {
  return failure('FEED_KEY_EXISTS', `Another feed has the key "${key}". Choose another one.`);
}

function tooMany(): Failure {
  const limit = feedLimits.feedsMax;
  return failure('FEED_TOO_MANY', `There are ${limit} feeds already. Delete one first.`, { limit });
}
