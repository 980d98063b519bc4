import { loadedCopy } from './load-copy.js';

/** All texts, in the language of the user. */
export const {
  activityCopy,
  attributesCopy,
  callLabelCopy,
  changesCopy,
  changeUsersCopy,
  commonCopy,
  createUserCopy,
  errorsCopy,
  homeCopy,
  matchingCopy,
  navigationCopy,
  outageCopy,
  plannedCopy,
  restoreCopy,
  sessionCopy,
  sessionsCopy,
  settingsCopy,
  undoCopy,
  userCopy,
  userLanguageCopy,
  userPageCopy,
  usersCopy,
  usersListCopy,
} = loadedCopy();
