import { type Figures, figuresOf, timedMs } from '../figures.js';
import type { RunningPeer } from './peer.js';
import { changesFor, newUser } from './users.js';

export const kinds = ['create 1', 'create 32', 'update'] as const;
export type Kind = (typeof kinds)[number];
/** In users per second. */
export type Rates = Partial<Record<Kind, Figures>>;

export const itemsPerCall = 1_000;
const rounds = 5;
/** On a busy machine, the rounds end after this time, but not before there are three to take a median of. */
const measureMsMax = 120_000;
const roundsMin = 3;
/** How long a peer creates users, per round and concurrency. */
export const createMs = 1_000;
/**
 * A call of a thousand items takes from a hundredth of a second to many seconds. Fast peers make several calls per
 * round.
 */
const updateMs = 500;

/** A participant, with a way to measure the rate of each kind of work that it supports. */
export interface Contestant {
  readonly name: string;
  readonly measures: Partial<Record<Kind, () => Promise<number>>>;
}

export interface Measured {
  readonly rates: Rates;
  /** Why it did not finish. */
  readonly failure?: string;
}

/** Measures the contestants alternately, so that other activity on the machine affects all of them equally. */
export async function measureByTurns(
  contestants: readonly Contestant[],
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: (line: string) => void },
): Promise<Map<string, Measured>> {
  const values = new Map<string, number[]>();
  const failures = new Map<string, string>();
  const end = performance.now() + measureMsMax;
  for (let round = 0; round <= rounds; round++) {
    if (round > roundsMin && performance.now() > end) break;
    progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const kind of kinds) {
      for (const { name, measures } of rotated(contestants, round)) {
        const measure = measures[kind];
        if (measure === undefined || failures.has(name)) continue;
        try {
          const rate = await measure();
          const isWarmUp = round === 0;
          if (!isWarmUp) values.set(`${name} ${kind}`, [...(values.get(`${name} ${kind}`) ?? []), rate]);
        } catch (error) {
          signal.throwIfAborted();
          failures.set(name, `${kind}: ${(error as Error).message}`);
          progress(`${name} failed: ${(error as Error).message}`);
        }
      }
    }
  }
  return new Map(
    contestants.map(({ name }) => {
      const failure = failures.get(name);
      const measured = kinds.flatMap((kind) => {
        const rates = values.get(`${name} ${kind}`);
        return rates ? [[kind, figuresOf(rates)] as const] : [];
      });
      return [name, { rates: Object.fromEntries(measured), ...(failure === undefined ? {} : { failure }) }];
    }),
  );
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

export function measuresOf(peer: RunningPeer): Record<Kind, () => Promise<number>> {
  return {
    'create 1': () => createRate(peer, 1),
    'create 32': () => createRate(peer, 32),
    update: () => updateRate((changes) => updateAll(peer, changes)),
  };
}

async function createRate(peer: RunningPeer, concurrency: number): Promise<number> {
  let created = 0;
  const ms = await timedMs(async () => {
    const end = performance.now() + createMs;
    const worker = async () => {
      while (performance.now() < end) {
        await peer.createOne(newUser());
        created++;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  });
  return (created / ms) * 1_000;
}

type Changes = ReturnType<typeof changesFor>;

/** Updates with one call after the other. `update` returns the time of a call. */
export async function updateRate(update: (changes: Changes) => Promise<number>): Promise<number> {
  let updated = 0;
  let ms = 0;
  while (ms < updateMs) {
    ms += await update(changesFor(itemsPerCall));
    updated += itemsPerCall;
  }
  return (updated / ms) * 1_000;
}

/** Checks afterwards, outside the measured time, that the database contains what was sent. */
async function updateAll(peer: RunningPeer, changes: Changes): Promise<number> {
  let status = 0;
  let text = '';
  const ms = await timedMs(async () => {
    ({ status, text } = await peer.updateMany(changes));
  });
  const changed = await peer.countPhones(changes.map(({ phone }) => phone));
  if (changed !== changes.length) {
    throw new Error(
      `${changed} of ${changes.length} users were changed: HTTP ${status} ${text.slice(0, 300)}`,
    );
  }
  return ms;
}
