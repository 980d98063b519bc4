import { whenSignedOut } from '../../session/signed-out.js';
import type { PageChain } from './page-chain.js';

/** Where the list was scrolled to when a user was opened. */
export interface ScrollPosition {
  /** Identifies the list. */
  readonly key: string;
  readonly chain: PageChain;
  readonly offset: number;
  readonly row: number;
  /** The query string of the list. */
  readonly search: string;
}

let saved: ScrollPosition | undefined;

whenSignedOut(() => {
  saved = undefined;
});

export function saveScrollPosition(place: ScrollPosition): void {
  saved = place;
}

export function savedScrollPosition(key: string): ScrollPosition | undefined {
  return saved?.key === key ? saved : undefined;
}

export function usersListPath(): string {
  return saved === undefined || saved.search === '' ? '/users' : `/users?${saved.search}`;
}
