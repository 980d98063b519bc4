import { loadedFeedPagesCopy } from './load-copy.js';

/** The texts of feeds and of the later steps of an import, in the language of the user. */
export const { feedFormCopy, feedsCopy, importReviewCopy } = loadedFeedPagesCopy();
