import { loadedOnDemandCopy } from './load-copy.js';

/** The texts of pages that few open, in the language of the user. */
export const {
  applicationsCopy,
  clientsCopy,
  directoriesCopy,
  feedFormCopy,
  feedsCopy,
  importCopy,
  importReviewCopy,
  provisioningCopy,
  reportCopy,
  sheetsCopy,
  statusCopy,
  targetsCopy,
  webhooksCopy,
} = loadedOnDemandCopy();
