import { language } from './copy/language.js';
import { loadCopy } from './copy/load-copy.js';

document.documentElement.lang = language;
// Not awaited: a chunk that imported this one would wait for itself.
void loadCopy().then(() => import('./start.js'));
