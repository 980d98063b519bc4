import { loadCopy, loadFeedPagesCopy } from '../../console/src/copy/load-copy.js';

await loadCopy('en');
await loadFeedPagesCopy('en');
