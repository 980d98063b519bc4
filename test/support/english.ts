import { loadCopy, loadFactorsCopy, loadFeedPagesCopy } from '../../console/src/copy/load-copy.js';

await loadCopy('en');
await loadFeedPagesCopy('en');
await loadFactorsCopy('en');
