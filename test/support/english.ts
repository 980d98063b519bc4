import { loadCopy, loadOnDemandCopy } from '../../console/src/copy/load-copy.js';

await loadCopy('en');
await loadOnDemandCopy('en');
