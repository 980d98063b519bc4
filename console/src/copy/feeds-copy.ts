import { loadedFeedPagesCopy } from './load-copy.js';

/** The texts of feeds, in the language of the user. */
export const { feedFormCopy, feedsCopy } = loadedFeedPagesCopy();
