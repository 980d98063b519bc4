import { loadedApplicationsCopy } from './load-copy.js';

/** Texts about applications, in the language of the user. Only pages that are loaded on demand show them. */
export const applicationsCopy = loadedApplicationsCopy();
