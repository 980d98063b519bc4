import { loadAccountCopy, loadCopy, loadOnDemandCopy } from '../../console/src/copy/load-copy.js';

await loadCopy('en');
await loadAccountCopy('en');
await loadOnDemandCopy('en');
