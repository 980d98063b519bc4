import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { timedMs } from '../figures.js';
import { withPostgres } from '../processes.js';
import { updateInBareSql } from './bare-sql.js';
import { directus } from './directus.js';
import { httpClient } from './http-client.js';
import { install } from './install.js';
import { type Contestant, type Measured, measureByTurns, measuresOf, updateRate } from './measure.js';
import { type OneBadItem, tryOneBadItem } from './one-bad-item.js';
import { parseServer } from './parse-server.js';
import type { Peer, RunningPeer } from './peer.js';
import { rollcall, rollcallName } from './rollcall.js';
import { scimmy } from './scimmy.js';
import { firstUsers } from './users.js';

export const bareSql = 'bare SQL';

export interface PeerResult extends Pick<Peer, 'name' | 'version' | 'calls' | 'remarks'> {
  readonly rates: Measured['rates'];
  readonly oneBadItem?: OneBadItem;
  /** Why there are no figures, or not all. */
  readonly failure?: string;
}

export interface PeersResults {
  readonly node: string;
  readonly postgres: string;
  readonly peers: readonly PeerResult[];
  readonly bareSql: Measured['rates'];
}

/** A peer that takes part, or the reason why it doesn't. */
type Entry =
  | { readonly peer: Peer; readonly running: RunningPeer; readonly database: pg.Client }
  | { readonly peer: Peer; readonly failure: string };

/** How many users are sent at once to fill a peer. Every peer accepts this many. */
const fillChunk = 500;

const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Surroundings {
  readonly databaseUrl: string;
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
}

/** Installs the peers, measures them alternately, and leaves nothing behind, even if interrupted. */
export async function comparePeers(progress: (line: string) => void): Promise<PeersResults> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error('interrupted'));
  for (const name of interruptions) process.on(name, interrupt);
  const { signal } = interruption;
  let results: PeersResults | undefined;
  await withPostgres(async ({ databaseUrl, startService }) => {
    const home = mkdtempSync(join(tmpdir(), 'rollcall-peers-'));
    const peers = [rollcall(startService), directus, parseServer, scimmy];
    const surroundings = { databaseUrl, signal, progress };
    const entries: Entry[] = [];
    progress('installing, which takes minutes if packages have to be compiled');
    try {
      const installed = await installAll(peers, home, surroundings);
      for (const entry of installed) entries.push(await enter(entry, surroundings));
      results = await compare(entries, surroundings);
    } finally {
      await Promise.all(entries.map(leave));
      progress('removing the peers');
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    }
  });
  for (const name of interruptions) process.off(name, interrupt);
  if (!results) throw new Error('the comparison did not finish');
  return results;
}

interface Installed {
  readonly peer: Peer;
  readonly folder: string;
  readonly failure?: string;
}

async function installAll(
  peers: readonly Peer[],
  home: string,
  { signal, progress }: Surroundings,
): Promise<Installed[]> {
  return Promise.all(
    peers.map(async (peer) => {
      const folder = join(home, peer.name);
      try {
        const ms = await timedMs(() => install(peer, folder, signal));
        if (Object.keys(peer.packages).length > 0)
          progress(`${title(peer)}: installed in ${Math.round(ms / 1_000)} s`);
        return { peer, folder };
      } catch (error) {
        signal.throwIfAborted();
        return { peer, folder, failure: told(peer, 'could not be installed', error, progress) };
      }
    }),
  );
}

async function enter({ peer, folder, failure }: Installed, surroundings: Surroundings): Promise<Entry> {
  if (failure !== undefined) return { peer, failure };
  const { databaseUrl, signal, progress } = surroundings;
  const givenUp = new AbortController();
  const own = await createDatabase(databaseUrl, peer.name.toLowerCase().replace(' ', '_'));
  try {
    const running = await peer.start({
      ...own,
      folder,
      client: httpClient,
      signal: AbortSignal.any([signal, givenUp.signal]),
    });
    const users = firstUsers();
    for (let from = 0; from < users.length; from += fillChunk) {
      await running.createMany(users.slice(from, from + fillChunk));
    }
    const filled = await running.countPhones(users.map(({ phone }) => phone));
    if (filled !== users.length) throw new Error(`${filled} of ${users.length} users were created`);
    await own.database.query('VACUUM ANALYZE');
    progress(`${title(peer)}: started and filled`);
    return { peer, running, database: own.database };
  } catch (error) {
    givenUp.abort();
    await own.database.end();
    signal.throwIfAborted();
    return { peer, failure: told(peer, 'could not be started', error, progress) };
  }
}

async function createDatabase(serverUrl: string, name: string) {
  const server = await connected(serverUrl);
  await server.query(`CREATE DATABASE ${name}`);
  await server.end();
  const url = new URL(serverUrl);
  url.pathname = name;
  return { databaseUrl: url.href, database: await connected(url.href) };
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // PostgreSQL stops first if the run is interrupted
  await client.connect();
  return client;
}

async function leave(entry: Entry): Promise<void> {
  if ('failure' in entry) return;
  await entry.running.stop();
  await entry.database.end().catch(() => {});
}

async function compare(
  entries: readonly Entry[],
  { databaseUrl, signal, progress }: Surroundings,
): Promise<PeersResults> {
  const running = entries.flatMap((entry) => ('running' in entry ? [entry] : []));
  const contestants: Contestant[] = running.map((entry) => ({
    name: entry.peer.name,
    measures: measuresOf(entry.running),
  }));
  const ours = running.find(({ peer }) => peer.name === rollcallName)?.database;
  if (ours) {
    const update = () => updateRate((changes) => timedMs(() => updateInBareSql(ours, changes)));
    contestants.push({ name: bareSql, measures: { update } });
  }
  const measured = await measureByTurns(contestants, { signal, progress });
  const peers: PeerResult[] = [];
  for (const entry of entries) peers.push(await resultOf(entry, measured.get(entry.peer.name), signal));
  return {
    node: process.version,
    postgres: await postgresVersion(databaseUrl),
    peers,
    bareSql: measured.get(bareSql)?.rates ?? {},
  };
}

async function resultOf(
  entry: Entry,
  measured: Measured | undefined,
  signal: AbortSignal,
): Promise<PeerResult> {
  const { name, version, calls, remarks } = entry.peer;
  const common = { name, version, calls, remarks };
  if ('failure' in entry) return { ...common, rates: {}, failure: entry.failure };
  const result = { ...common, rates: {}, ...measured };
  try {
    return { ...result, oneBadItem: await tryOneBadItem(entry.running) };
  } catch (error) {
    signal.throwIfAborted();
    return { failure: `one bad item: ${(error as Error).message}`, ...result };
  }
}

async function postgresVersion(databaseUrl: string): Promise<string> {
  const client = await connected(databaseUrl);
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  await client.end();
  return rows[0]?.server_version ?? '';
}

function title({ name, version }: Peer): string {
  return `${name} ${version}`;
}

function told(peer: Peer, what: string, error: unknown, progress: (line: string) => void): string {
  const failure = `${what}: ${(error as Error).message}`;
  progress(`${title(peer)} ${failure}`);
  return failure;
}
