import { loadedCopy } from './load-copy.js';

/** All texts, in the language of the user. */
export const {
  activityCopy,
  callLabelCopy,
  changeUsersCopy,
  commonCopy,
  createUserCopy,
  directoriesCopy,
  errorsCopy,
  importCopy,
  matchingCopy,
  outageCopy,
  plannedCopy,
  sessionCopy,
  sheetsCopy,
  undoCopy,
  userCopy,
  userLanguageCopy,
  userPageCopy,
  usersCopy,
  usersListCopy,
} = loadedCopy();
