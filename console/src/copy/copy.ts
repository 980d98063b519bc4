import { loadedCopy } from './load-copy.js';

/** All texts, in the language of the user. */
export const {
  activityCopy,
  callLabelCopy,
  changesCopy,
  changeUsersCopy,
  commonCopy,
  createUserCopy,
  directoriesCopy,
  errorsCopy,
  homeCopy,
  importCopy,
  matchingCopy,
  navigationCopy,
  outageCopy,
  plannedCopy,
  sessionCopy,
  settingsCopy,
  sheetsCopy,
  statusCopy,
  undoCopy,
  userCopy,
  userLanguageCopy,
  userPageCopy,
  usersCopy,
  usersListCopy,
} = loadedCopy();
