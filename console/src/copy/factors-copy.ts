import { loadedFactorsCopy } from './load-copy.js';

/** The texts about second factors, in the language of the user. */
export const { factorsCopy } = loadedFactorsCopy();
