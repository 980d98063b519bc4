import { seededRandom } from '../users.js';

/** Chance that repeats with the same seed. */
export class Dice {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(seed);
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T; // the callers' lists are not empty
  }

  /** Different elements, as many as there are. */
  some<T>(list: readonly T[], count: number): T[] {
    const places = new Set<number>();
    while (places.size < Math.min(count, list.length)) places.add(this.below(list.length));
    return [...places].map((place) => list[place] as T);
  }

  /** How often something happens that happens so often on average. */
  poisson(mean: number): number {
    if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.#normal()));
    let product = this.next();
    let count = 0;
    for (const limit = Math.exp(-mean); product > limit; product *= this.next()) count++;
    return count;
  }

  #normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }
}
