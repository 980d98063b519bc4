import { loadCopy } from '../../console/src/copy/load-copy.js';

await loadCopy('en');
