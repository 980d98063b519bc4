export * from './feed-form.js';
export * from './feeds.js';
export * from './import-review.js';
