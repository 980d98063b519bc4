import { loadedAccountCopy } from './load-copy.js';

/** The texts about second factors and applications, in the language of the user. */
export const { applicationsCopy, factorsCopy } = loadedAccountCopy();
