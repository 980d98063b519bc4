export * from './feed-form.js';
export * from './feeds.js';
export * from './import.js';
export * from './import-review.js';
export * from './provisioning.js';
export * from './sheets.js';
export * from './status.js';
export * from './targets.js';
