import { loadedAccountCopy } from './load-copy.js';

/** The texts of the own account, and of applications, in the language of the user. */
export const { applicationsCopy, factorsCopy, noticesCopy, passwordLinkCopy, profileCopy } =
  loadedAccountCopy();
