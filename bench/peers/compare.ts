import { join } from 'node:path';
import type pg from 'pg';
import { timedMs } from '../figures.js';
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
import {
  createDatabase,
  type Progress,
  postgresVersion,
  type Surroundings,
  withSurroundings,
} from './surroundings.js';
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

/** Installs the peers and measures them alternately. */
export function comparePeers(progress: Progress): Promise<PeersResults> {
  return withSurroundings(progress, async (surroundings) => {
    const peers = [rollcall(surroundings.startService), directus, parseServer, scimmy];
    const entries: Entry[] = [];
    progress('installing, which takes minutes if packages have to be compiled');
    try {
      const installed = await installAll(peers, surroundings);
      for (const entry of installed) entries.push(await enter(entry, surroundings));
      return await compare(entries, surroundings);
    } finally {
      await Promise.all(entries.map(leave));
    }
  });
}

interface Installed {
  readonly peer: Peer;
  readonly folder: string;
  readonly failure?: string;
}

async function installAll(
  peers: readonly Peer[],
  { home, signal, progress }: Surroundings,
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

function title({ name, version }: Peer): string {
  return `${name} ${version}`;
}

function told(peer: Peer, what: string, error: unknown, progress: (line: string) => void): string {
  const failure = `${what}: ${(error as Error).message}`;
  progress(`${title(peer)} ${failure}`);
  return failure;
}
