import type { PageChain } from './page-chain.js';

/** Where in the list somebody was when they opened a person: they come back to it. */
export interface Place {
  /** Of the list; another list has other places. */
  readonly key: string;
  readonly chain: PageChain;
  readonly offset: number;
  readonly row: number;
  /** What was behind the address of the list. */
  readonly search: string;
}

let left: Place | undefined;

export function leavePlace(place: Place): void {
  left = place;
}

export function placeLeft(key: string): Place | undefined {
  return left?.key === key ? left : undefined;
}

/** The way back to the list as it was left. */
export function wayBack(): string {
  return left === undefined || left.search === '' ? '/people' : `/people?${left.search}`;
}
