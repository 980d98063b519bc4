import type { PageChain } from './page-chain.js';

/** Where in the list somebody was when they opened a person: they come back to it. */
export interface ScrollPosition {
  /** Of the list; another list has other places. */
  readonly key: string;
  readonly chain: PageChain;
  readonly offset: number;
  readonly row: number;
  /** What was behind the address of the list. */
  readonly search: string;
}

let saved: ScrollPosition | undefined;

export function saveScrollPosition(place: ScrollPosition): void {
  saved = place;
}

export function savedScrollPosition(key: string): ScrollPosition | undefined {
  return saved?.key === key ? saved : undefined;
}

/** The way back to the list as it was left. */
export function usersListPath(): string {
  return saved === undefined || saved.search === '' ? '/people' : `/people?${saved.search}`;
}
