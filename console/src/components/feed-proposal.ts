import type { Recipe } from '@rollcall/sheets';
import { navigate } from 'wouter/use-browser-location';

/** What an import knows of a feed that does the same every night. */
export interface FeedProposal {
  readonly name: string;
  readonly recipe: Recipe;
  readonly deactivateMissing: boolean;
  readonly deliver: 'now' | 'hold';
}

const entry = 'rollcall.feedProposal';

/** Opens the form of a new feed. The proposal is in the history entry, so that a reload keeps it. */
export function proposeFeed(proposal: FeedProposal): void {
  navigate('/feeds/new', { state: { [entry]: proposal } });
}

/** What the form was opened with. */
export function proposedFeed(): FeedProposal | undefined {
  const state = history.state as Readonly<Record<string, unknown>> | null;
  return state?.[entry] as FeedProposal | undefined; // only proposeFeed writes it
}
